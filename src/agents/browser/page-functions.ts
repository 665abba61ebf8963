/**
 * What runs inside the agent's page. Each function is sent as text, so it refers to nothing outside itself; the page's
 * own scripts run beside it and may have changed what the language provides, so nothing it returns is trusted.
 */

/**
 * The part of the DOM that these functions use: the service is not compiled with the DOM's types, so that it cannot use them by
 * mistake.
 */
interface PageNode {
  readonly nodeType: number;
  readonly nodeValue: string | null;
  readonly childNodes: Iterable<PageNode>;
  readonly parentNode: PageNode | null;
  readonly host?: PageNode;
}
export interface PageElement extends PageNode {
  readonly localName: string;
  readonly id: string;
  readonly type?: string;
  readonly innerText?: string;
  readonly isContentEditable?: boolean;
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
  readonly form?: PageElement | null;
  readonly labels?: Iterable<PageElement> | null;
  readonly value?: string;
  readonly shadowRoot: PageNode | null;
  readonly assignedNodes?: (options: { flatten: boolean }) => Iterable<PageNode>;
  readonly querySelectorAll: (selector: string) => Iterable<PageElement>;
  readonly querySelector: (selector: string) => PageElement | null;
  readonly getAttribute: (name: string) => string | null;
  readonly checkVisibility: (options: object) => boolean;
  readonly getBoundingClientRect: () => { readonly bottom: number; readonly width: number; readonly height: number };
}

export interface ReadingLimits {
  /** How many elements have their texts read: only the last ones. */
  readonly elements: number;
  /** How many characters all texts together may have. */
  readonly characters: number;
}

export interface ElementTexts {
  /** How many elements there are; `texts` are those of the last ones. */
  readonly count: number;
  readonly texts: readonly string[];
  readonly isCut: boolean;
}

/** What a reader of the page sees in each element, shadow roots included. */
export function readElements(elements: PageElement[], limits: ReadingLimits): ElementTexts {
  let left = limits.characters;
  let isCut = false;
  const isElement = (node: PageNode): node is PageElement => node.nodeType === 1;
  const take = (text: string): string => {
    if (text.length > left) isCut = true;
    const taken = text.slice(0, left);
    left -= taken.length;
    return taken;
  };
  const visibleText = (root: PageElement): string => {
    // Elements on the way to a shadow root: only these are walked, the others provide their text themselves.
    const onTheWay = new Set<PageNode>();
    const mark = (from: PageNode): void => {
      for (let node: PageNode | null = from; node !== null; node = node.parentNode ?? node.host ?? null)
        onTheWay.add(node);
    };
    const look = (element: PageElement): void => {
      for (const child of element.querySelectorAll('*')) if (child.shadowRoot !== null) mark(child);
    };
    if (root.shadowRoot !== null) mark(root);
    look(root);
    if (onTheWay.size === 0) return root.checkVisibility({}) ? (root.innerText ?? '') : '';
    const parts: string[] = [];
    const walk = (node: PageNode, depth: number): void => {
      if (depth > 200 || parts.length > 20_000) return;
      if (node.nodeType === 3) {
        const text = (node.nodeValue ?? '').trim();
        if (text !== '') parts.push(text);
      }
      if (!isElement(node)) return;
      const element = node;
      if (['script', 'style', 'template', 'noscript', 'textarea'].includes(element.localName)) return;
      // A slot has no box of its own.
      if (element.localName === 'slot') {
        const assigned = [...(element.assignedNodes?.({ flatten: true }) ?? [])];
        for (const child of assigned.length > 0 ? assigned : element.childNodes) walk(child, depth + 1);
        return;
      }
      if (!element.checkVisibility({})) return;
      if (element.shadowRoot !== null) {
        for (const child of element.shadowRoot.childNodes) {
          if (isElement(child)) look(child);
          walk(child, depth + 1);
        }
      } else if (onTheWay.has(element)) {
        for (const child of element.childNodes) walk(child, depth + 1);
      } else {
        const text = element.innerText ?? '';
        if (text.trim() !== '') parts.push(text);
      }
    };
    walk(root, 0);
    return parts.join('\n');
  };
  const texts = elements.slice(-limits.elements).map((element) => take(visibleText(element)));
  return { count: elements.length, texts, isCut };
}

export interface ComposerCandidate {
  readonly index: number;
  /** Its lower edge, in pixels from the top of its frame's viewport. */
  readonly bottom: number;
}

/** Which of these inputs a patient could write a message into: visible, writable, and not part of a login or a search. */
export function findComposers(elements: PageElement[]): ComposerCandidate[] {
  const OTHER = /^(user(name|id)?|e-?mail|login|identifier|pass(word)?|otp|phone|search|q$|query$)/i;
  // Words that stand in or beside the field of a login, and nothing else: "E-mail your question" is an invitation to write.
  const WHO =
    /^\W*((please )?(enter|type) |(ihre|votre|su|tu|la sua|your|work|company|business|corporate) ){0,3}(e-?mail|user ?name|user ?id|phone|mobile|benutzername|nom d.utilisateur|identifiant|usuario|correo( electr[oó]nico)?|nome utente|gebruikersnaam)([ -]?(address|adresse|number))?( or .{1,30}| oder .{1,30}| ou .{1,30}| o .{1,30})?\W*$/i;
  const candidates: ComposerCandidate[] = [];
  elements.slice(0, 500).forEach((element, index) => {
    const { width, height, bottom } = element.getBoundingClientRect();
    if (width < 20 || height < 8 || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      return;
    if (element.disabled === true || element.readOnly === true || element.getAttribute('aria-disabled') === 'true')
      return;
    const names = [element.id, element.getAttribute('name'), element.getAttribute('autocomplete')];
    if (element.getAttribute('role') === 'searchbox') return;
    if (element.localName === 'input' && names.some((name) => name !== null && OTHER.test(name))) return;
    const words = [element.getAttribute('placeholder'), element.getAttribute('aria-label')];
    for (const label of element.labels ?? []) words.push(label.innerText ?? '');
    if (element.localName === 'input' && words.some((said) => said !== null && WHO.test(said.slice(0, 100)))) return;
    if (element.form?.querySelector('input[type="password"]')) return;
    candidates.push({ index, bottom });
  });
  return candidates;
}

/** What fields are called, in them and beside them. */
export function namesOfFields(elements: PageElement[], most: number): string[] {
  return elements.slice(0, most).map((element) => {
    const labels = [...(element.labels ?? [])].slice(0, 5).map((label) => label.innerText ?? '');
    const names = [element.getAttribute('placeholder'), element.getAttribute('aria-label'), ...labels];
    return names.map((name) => (name ?? '').slice(0, 100)).join(' ');
  });
}

/** What elements say: headings, and buttons of either kind. */
export function textsOf(elements: PageElement[], most: number): string[] {
  return elements.slice(0, most).map((element) => (element.innerText || element.value || '').slice(0, 200).trim());
}
