import { parser, RuleType, type MarkdownToJSX } from 'markdown-to-jsx/react';
import { Fragment, memo, useMemo, type ReactNode } from 'react';
import { Name } from '../parts/untrusted-text';

type Node = MarkdownToJSX.ASTNode;

/** Deeper structures are shown as their text: they are unreadable, and drawing them is recursive. */
const DEEPEST = 12;

/**
 * Untrusted Markdown, drawn with the few elements of this file. Everything else is shown as text: HTML stays as typed, links lead
 * nowhere and show their addresses, images are named and never fetched.
 */
export const FormattedText = memo(function FormattedText({ text }: { readonly text: string }) {
  const nodes = useMemo(() => parser(text, { disableParsingRawHTML: true, disableAutoLink: true }), [text]);
  return (
    <div className="formatted untrusted" dir="auto">
      <Nodes nodes={nodes} depth={0} />
    </div>
  );
});

interface NodesProps {
  readonly nodes: readonly Node[];
  readonly depth: number;
}

function Nodes({ nodes, depth }: NodesProps): ReactNode {
  return nodes.map((node, index) => (
    <Fragment key={index}>{depth > DEEPEST ? <Name>{textOf(node)}</Name> : drawn(node, depth + 1)}</Fragment>
  ));
}

function drawn(node: Node, depth: number): ReactNode {
  switch (node.type) {
    case RuleType.paragraph:
      return (
        <p>
          <Nodes nodes={node.children} depth={depth} />
        </p>
      );
    case RuleType.heading:
      // A heading of the message is not a heading of the page.
      return (
        <p className="heading">
          <Nodes nodes={node.children} depth={depth} />
        </p>
      );
    case RuleType.blockQuote:
      return (
        <blockquote>
          <Nodes nodes={node.children} depth={depth} />
        </blockquote>
      );
    case RuleType.orderedList:
      return (
        <ol start={node.start}>
          <Items items={node.items} depth={depth} />
        </ol>
      );
    case RuleType.unorderedList:
      return (
        <ul>
          <Items items={node.items} depth={depth} />
        </ul>
      );
    case RuleType.textFormatted:
      return <Emphasis tag={node.tag} nodes={node.children} depth={depth} />;
    case RuleType.table:
      return <Table node={node} depth={depth} />;
    case RuleType.codeBlock:
      return (
        <pre>
          <Name>{node.text}</Name>
        </pre>
      );
    case RuleType.codeInline:
      return (
        <code>
          <Name>{node.text}</Name>
        </code>
      );
    case RuleType.link:
      return (
        <>
          <Nodes nodes={node.children} depth={depth} />
          <Address of={node.target} />
        </>
      );
    case RuleType.image:
      return (
        <>
          <span className="quiet">[image: </span>
          <Name>{node.alt ?? ''}</Name>
          <span className="quiet">]</span>
          <Address of={node.target} />
        </>
      );
    case RuleType.gfmTask:
      return node.completed ? '☑ ' : '☐ ';
    case RuleType.breakLine:
      return <br />;
    case RuleType.breakThematic:
      return <hr />;
    case RuleType.text:
      return <Name>{node.text}</Name>;
    default:
      return <Name>{textOf(node)}</Name>;
  }
}

function Items({ items, depth }: { readonly items: readonly (readonly Node[])[]; readonly depth: number }): ReactNode {
  return items.map((nodes, index) => (
    <li key={index}>
      <Nodes nodes={nodes} depth={depth} />
    </li>
  ));
}

function Emphasis({ tag, nodes, depth }: NodesProps & { readonly tag: string }): ReactNode {
  const inner = <Nodes nodes={nodes} depth={depth} />;
  if (tag === 'strong') return <strong>{inner}</strong>;
  if (tag === 'em') return <em>{inner}</em>;
  if (tag === 'del') return <del>{inner}</del>;
  return inner;
}

function Table({ node, depth }: { readonly node: MarkdownToJSX.TableNode; readonly depth: number }): ReactNode {
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {node.header.map((cell, index) => (
              <th key={index} scope="col">
                <Nodes nodes={cell} depth={depth} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {node.cells.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>
                  <Nodes nodes={cell} depth={depth} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The address of a link. It cannot be followed: one press would tell another server about the reader. */
function Address({ of }: { readonly of: string | null }): ReactNode {
  if (of === null || of === '') return null;
  return (
    <span className="address">
      {' ('}
      <Name>{of}</Name>)
    </span>
  );
}

/** The text in a node that is not drawn. */
function textOf(node: Node): string {
  if ('text' in node && typeof node.text === 'string') return node.text;
  if ('children' in node && Array.isArray(node.children)) return node.children.map(textOf).join('');
  if ('items' in node) return node.items.map((item) => item.map(textOf).join('')).join('\n');
  if ('alt' in node && typeof node.alt === 'string') return node.alt;
  return '';
}
