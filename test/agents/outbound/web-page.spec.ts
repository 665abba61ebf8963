import { asksForPassword, beginsAsPage, isPageType, isWholePage, titleOf } from '../../../src/agents/outbound/web-page';

test.each([
  ['text/html', true],
  [' Text/HTML; charset=utf-8', true],
  ['application/xhtml+xml', true],
  ['text/htmlx', false],
  ['text/plain', false],
  ['application/json; was=text/html', false],
  [undefined, false],
])('a page by its media type or none: %s', (type, isPage) => {
  expect(isPageType({ 'content-type': type })).toBe(isPage);
});

describe('The beginning of a page', () => {
  it.each([
    '<!DOCTYPE html><p>',
    '<!doctype  HTML PUBLIC "x">',
    '<html>',
    '<HTML lang="en">',
    '<head/>',
    '<body onload="x()">',
    '<title>x</title>',
    '<meta charset="utf-8">',
    ' \n\ufeff<html>',
    '<?xml version="1.0"?>\n<html>',
    '<!-- a --> <!-- b --><?xml ?><!doctype html>',
    '<!-- x -->'.repeat(50) + '<html>',
  ])('is one: %s', (text) => expect(beginsAsPage(text)).toBe(true));

  it.each([
    '',
    'Hello <html>',
    '<htmlx>',
    '<html',
    '<p>Take rest.</p>',
    '<!doctype svg>',
    '<header>',
    '<!-- never ends <html>',
    '<?xml <html>',
    '<?php ?><html>',
    '<!-- x -->'.repeat(51) + '<html>',
  ])('is none: %s', (text) => expect(beginsAsPage(text)).toBe(false));
});

describe('A whole page', () => {
  it.each([
    '<!doctype html><p>Sign in',
    '<html><body>x</body></html>',
    '<title>x</title><body>x</BODY >\n ',
    `<html>${'x'.repeat(5_000)}</html>`,
  ])('is one: %s', (text) => expect(isWholePage(text)).toBe(true));

  it.each([
    '<html> is the first tag of a page.',
    '<body> and </body> are tags, you see.',
    '<title>Rest</title>',
    'Write <!doctype html><html></html>',
    '<html></html>' + 'x'.repeat(100),
  ])('is none: %s', (text) => expect(isWholePage(text)).toBe(false));
});

test.each([
  ['<input type="password">', true],
  [`<INPUT name="p" TYPE = 'Password' required>`, true],
  ['<input type=password>', true],
  ['<input class="a"\n type="password">', true],
  ['<input type="text"><b>password</b>', false],
  ['<input type="passwords">', false],
  ['<input> type="password"', false],
  ['<inputs type="password">', false],
  ['What is your password?', false],
])('a page asks for a password or not: %s', (page, asks) => {
  expect(asksForPassword(page)).toBe(asks);
});

test.each([
  ['<html><title> Sign in </title>', 'Sign in'],
  ['<TITLE data-x="1">Gate\nway</TITLE>', 'Gate\nway'],
  ['<titles>x</titles>', ''],
  ['<p>x</p>', ''],
  [`${' '.repeat(20_000)}<title>x</title>`, ''],
  [`<title>${'x'.repeat(400)}</title>`, 'x'.repeat(300)],
])('the title of a page is known: %s', (page, title) => {
  expect(titleOf(page)).toBe(title);
});
