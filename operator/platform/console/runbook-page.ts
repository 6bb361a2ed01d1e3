import { readFileSync } from 'node:fs';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The URL fragment of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9\- ]/g, '')
    .replaceAll(' ', '-');

/** The runbook as a page whose sections can be linked to. Everything else stays as it is written. */
export const runbookPage = (markdown: string): string => {
  const sections = markdown.split(/^(?=#{1,4} )/m).map((section) => {
    const [, marks = '', heading = '', rest = ''] = /^(#{1,4}) ([^\n]+)\n(.*)$/s.exec(section) ?? [];
    if (heading === '') return `<pre class="page">${escaped(section)}</pre>\n`;
    const level = marks.length;
    return `<h${level} id="${anchorOf(heading)}">${escaped(heading)}</h${level}>\n<pre class="page">${escaped(rest.trim())}</pre>\n`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/console.css">
<title>Marquee runbook</title>
<main>
${sections.join('')}</main>
</html>
`;
};

export const readRunbook = (): Buffer =>
  Buffer.from(runbookPage(readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8')));
