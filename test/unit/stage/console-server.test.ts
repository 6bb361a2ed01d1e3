import { expect, it, onTestFinished } from 'vitest';
import { runbookPage } from '../../../operator/stage/console/runbook-page.ts';
import { startConsole } from '../../../operator/stage/console/server.ts';
import { alarmCommands } from '../../../operator/stage/status/alarm-commands.ts';
import { editorsKey } from '../../../operator/stage/status/verdict.ts';
import { get } from '../../support/stage/console/watched-console.ts';

const target = {
  stage: 'local',
  isLocal: true,
  isProtected: false,
  localIssuer: undefined,
  aws: { region: 'eu-central-1', endpoint: 'http://127.0.0.1:9' },
  command: (words: string) => words,
  output: (name: string) => name,
};

it('opens the console from a page of its own, because a redirect of a link would still be of the other site', async () => {
  const { url, stop } = await startConsole(target, { port: 0, remark: () => {} });
  onTestFinished(stop);
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

  const { status, body, cookie } = await get(url, link);

  expect(status).toBe(200);
  expect(body).toContain('<meta http-equiv="refresh" content="0; url=/console">');
  const page = await get(new URL('/console', url).href, { cookie, 'sec-fetch-site': 'same-origin' });
  expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<main id="view">') });
});

it('serves the runbook, with a section for each link of a problem', async () => {
  const { url, stop } = await startConsole(target, { port: 0, remark: () => {} });
  onTestFinished(stop);
  const { cookie } = await get(url, {});

  const page = await get(new URL('/console/runbook', url).href, { cookie, 'sec-fetch-site': 'same-origin' });

  expect(page.status).toBe(200);
  for (const section of [...Object.keys(alarmCommands), editorsKey])
    expect(page.body).toContain(`id="${section}"`);
});

it('shows the runbook as paragraphs, lists and links, and never runs what it says', () => {
  const page = runbookPage(
    '# When <b>it</b> fails\n\nOne `line`\nand [another](#here), [a guide](operator-guide.md#set-up),\n[AWS](https://aws.example/).\n\n1. First\n2. **Second** <script>alert(1)</script>\n',
  );

  expect(page).toContain(
    '<p>One <code>line</code>\nand <a href="#here">another</a>, a guide (<code>docs/operator-guide.md#set-up</code>),\n<a href="https://aws.example/" target="_blank" rel="noreferrer">AWS</a>.</p>',
  );
  expect(page).toContain('<li>First</li>');
  expect(page).toContain('<strong>Second</strong> &lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).not.toContain('<script>');
});
