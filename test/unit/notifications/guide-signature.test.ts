import { verify, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createWebhooks } from '@marquee/client/notifications';
import { afterEach, expect, it, vi } from 'vitest';

const guide = readFileSync(new URL('../../../docs/customer-guide.md', import.meta.url), 'utf8');
const section = /^### Verifying a signature\n(.*?)^### /ms.exec(guide)?.[1] ?? '';
const block = (language: string, beginning: string): string =>
  [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].find(
    ([, of, text]) => of === language && text?.startsWith(beginning),
  )?.[2] ?? '';

const message: Readonly<Record<string, string>> = JSON.parse(block('json', '{'));
const signedText = block('text', 'Message\n');
const certificate = block('text', '-----BEGIN CERTIFICATE-----');

/** The signed fields of each type, from the table in the guide. */
const fieldsOf = (type: string): readonly string[] => {
  const row = section.split('\n').find((line) => line.includes('|') && line.includes(`\`${type}\``)) ?? '';
  return [...(row.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
};

afterEach(() => {
  vi.unstubAllGlobals();
});

it("the signature example in the customer guide has the signed text that results from the guide's table", () => {
  const text = fieldsOf('Notification')
    .filter((name) => name in message)
    .map((name) => `${name}\n${message[name]}\n`)
    .join('');

  expect(text).toBe(signedText);
});

it('the signature example in the customer guide verifies with its certificate, and a changed text does not', () => {
  const { publicKey } = new X509Certificate(certificate);
  const isSigned = (text: string) =>
    verify('sha256', Buffer.from(text), publicKey, Buffer.from(message.Signature ?? '', 'base64'));

  expect(isSigned(signedText)).toBe(true);
  expect(isSigned(signedText.slice(0, -1))).toBe(false);
});

it('the signature example in the customer guide is accepted by the client', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    expect(url).toBe(message.SigningCertURL);
    return new Response(certificate);
  });
  const webhooks = createWebhooks({ topicArn: message.TopicArn ?? '', form: 'enveloped' });

  await expect(webhooks.unwrap({ headers: {}, body: JSON.stringify(message) })).resolves.toMatchObject({
    isSigned: true,
    notification: { operation_type: 'data_update', date_time: '2026-11-20T09:15:02.123456' },
  });
});
