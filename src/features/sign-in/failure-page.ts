import { html } from '../report/html';

/**
 * The page that a browser shows when a person was not signed in. It has no script, and says what to do.
 * @param signIn where a sign-in begins anew
 */
export function failurePage(sentence: string, signIn: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Not signed in – Agent OSCE</title>
        <style>
          body {
            font:
              1.05rem/1.5 system-ui,
              sans-serif;
            max-width: 38rem;
            margin: 15vh auto 0;
            padding: 0 1.5rem;
            color: #1d2733;
            background: #fff;
          }
          a {
            color: #0b5c8a;
            margin-right: 1.5rem;
          }
          @media (prefers-color-scheme: dark) {
            body {
              color: #e6ebf0;
              background: #12181f;
            }
            a {
              color: #8cc8ee;
            }
          }
        </style>
      </head>
      <body>
        <main>
          <h1>You are not signed in</h1>
          <p>${sentence}</p>
          <p><a href="${signIn}">Sign in again</a> <a href="/">To the page</a></p>
        </main>
      </body>
    </html> `.text;
}
