import GithubSlugger from 'github-slugger';
import { marked, type Token } from 'marked';

/** A text in Markdown that people read. */
export interface Document {
  /** Path from the project's root, or the address of a page of the application. */
  path: string;
  text: string;
  /** The anchors that links may use. Default: the headings' anchors, as GitHub names them. */
  anchors?: string[];
}

/** Everything that a document refers to. */
export interface Mentions {
  path: string;
  anchors: string[];
  /** Targets of links and pictures. */
  links: string[];
  /** Texts in backticks. */
  code: string[];
  /** Blocks of code. */
  blocks: string[];
}

const TARGET_IN_HTML = /\b(?:href|src|srcset)="([^"]+)"/g;

/** Finds the links, the code and the anchors of a document. */
export function readDocument({ path, text, anchors }: Document): Mentions {
  const slugger = new GithubSlugger();
  const headings: string[] = [];
  const mentions: Mentions = { path, anchors: anchors ?? headings, links: [], code: [], blocks: [] };
  marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'heading') headings.push(slugger.slug(plainText(token.tokens ?? [])));
    if (token.type === 'link' || token.type === 'image') mentions.links.push(token.href);
    if (token.type === 'html') mentions.links.push(...targetsInHtml(token.raw));
    if (token.type === 'codespan') mentions.code.push(token.text);
    if (token.type === 'code') mentions.blocks.push(token.text);
  });
  return mentions;
}

/** What is read of formatted text. */
const plainText = (tokens: Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token && token.text,
    )
    .join('');

const targetsInHtml = (html: string) => [...html.matchAll(TARGET_IN_HTML)].map(([, target = '']) => target);
