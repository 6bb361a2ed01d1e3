import { readFileSync } from 'node:fs';
import { Marked } from 'marked';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The URL fragment of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9\- ]/g, '')
    .replaceAll(' ', '-');

const marked = new Marked({
  renderer: {
    heading({ depth, text, tokens }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      if (href.startsWith('#')) return `<a href="${escaped(href)}">${text}</a>`;
      if (/^https:/.test(href))
        return `<a href="${escaped(href)}" target="_blank" rel="noreferrer">${text}</a>`;
      // The console does not serve the other guides.
      return `${text} (<code>docs/${escaped(href)}</code>)`;
    },
    html: ({ text }) => escaped(text),
  },
});

/** The runbook as a page whose sections can be linked to. */
export const runbookPage = (markdown: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/console.css">
<title>Marquee runbook</title>
<main class="page">
${marked.parse(markdown, { async: false })}</main>
</html>
`;

export const readRunbook = (): Buffer =>
  Buffer.from(runbookPage(readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8')));
