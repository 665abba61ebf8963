// Shows the description of the API. It is read with the service key, where there is one: the key that the page keeps for this tab,
// or the one that is typed here. This file and the page around it hold nothing of the service and need no key.

/** As in web/src/api/service-key.ts. */
const STORED_AS = 'agent-osce.service-key';

const part = (id) => document.getElementById(id);
const form = part('ask');

async function show() {
  const key = storedKey();
  const response = await fetch('./docs/openapi.json', {
    headers: key === null ? {} : { Authorization: `Bearer ${key}` },
  });
  if (response.status === 401) return ask(key);
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  const spec = await response.json();
  form.hidden = true;
  const ui = window.SwaggerUIBundle({
    spec,
    domNode: part('description'),
    deepLinking: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    // So that what is tried out here is allowed too.
    onComplete: () => key !== null && ui.preauthorizeApiKey('bearer', key),
  });
  say('');
}

function ask(refused) {
  say('');
  form.hidden = false;
  if (refused !== null) part('reason').textContent = 'The key you entered is not valid.';
  part('key').focus();
}

function say(words) {
  part('state').textContent = words;
  part('state').hidden = words === '';
}

function storedKey() {
  try {
    return sessionStorage.getItem(STORED_AS);
  } catch {
    // In a browser without storage the key is asked for again.
    return null;
  }
}

const start = () => show().catch((error) => say(`The description cannot be read: ${error.message}.`));

form.addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(STORED_AS, part('key').value.trim());
  part('key').value = '';
  void start();
});
void start();
