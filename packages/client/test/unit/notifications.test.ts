import { afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { MarqueeError, NoAnswerError } from '../../src/errors.ts';
import { createWebhooks, UntrustedMessageError, type WebhookOptions } from '../../src/notifications.ts';
import vectors from '../support/signed-messages.json' with { type: 'json' };
import {
  confirmationOf,
  dataUpdate,
  envelopedPost,
  envelopeOf,
  type Fields,
  newSigningKey,
  operations,
  rawPost,
  type SigningKey,
  snsHost,
  tokenUpdate,
  topicArn,
} from '../support/sns.ts';

let sns: SigningKey;
let stranger: SigningKey;
let fetched: MockInstance<typeof fetch>;

beforeAll(async () => {
  [sns, stranger] = await Promise.all([newSigningKey(), newSigningKey()]);
});
beforeEach(() => {
  // SNS's certificate is at its own URL. Every other URL returns the stranger's certificate.
  fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(
      async (url) =>
        new Response(String(url) === sns.certificateUrl ? sns.certificate : stranger.certificate),
    );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const webhooks = (options: Partial<WebhookOptions> = {}) =>
  createWebhooks({ topicArn, form: 'enveloped', ...options });
const unwrap = (post: { headers: object; body: unknown }, options: Partial<WebhookOptions> = {}) =>
  webhooks(options).unwrap({ headers: post.headers as Fields, body: post.body });

describe('an enveloped notification', () => {
  it.each(operations)('with a $operation_type is returned unchanged', async (notification) => {
    const post = envelopedPost(sns.signed(envelopeOf(notification)));

    expect(await unwrap(post)).toEqual({
      type: 'Notification',
      messageId: 'message-1',
      isSigned: true,
      notification,
    });
  });

  it.each(Object.entries(vectors.messages))('in the format of SNS is verified: %s', async (_, message) => {
    fetched.mockImplementation(async () => new Response(vectors.certificate));

    const { type } = await unwrap({ headers: {}, body: message }, { topicArn: message.TopicArn });

    expect(type).toBe(message.Type);
    for (const name of ['Message', 'MessageId', 'Timestamp', 'Signature'] as const) {
      const changed = { ...message, [name]: message[name].replace(/[1-9]/, '0') };
      await expect(
        unwrap({ headers: {}, body: changed }, { topicArn: message.TopicArn }),
      ).rejects.toBeInstanceOf(UntrustedMessageError);
    }
  });

  it('is verified with one fetch of the certificate for any number of messages', async () => {
    const another = await newSigningKey();
    fetched.mockImplementation(async () => new Response(another.certificate));
    const post = envelopedPost(another.signed(envelopeOf(dataUpdate)));

    await Promise.all([unwrap(post), unwrap(post)]);
    await unwrap(post);

    expect(fetched).toHaveBeenCalledTimes(1);
    expect(fetched).toHaveBeenCalledWith(
      another.certificateUrl,
      expect.objectContaining({ redirect: 'error' }),
    );
  });

  it('is accepted as bytes, text and parsed JSON', async () => {
    const message = sns.signed(envelopeOf(dataUpdate));
    const bytes = new TextEncoder().encode(JSON.stringify(message));
    for (const body of [message, JSON.stringify(message), bytes, bytes.buffer, new DataView(bytes.buffer)]) {
      expect(await unwrap({ headers: {}, body })).toMatchObject({ notification: dataUpdate });
    }
  });

  const forged: Record<string, (sign: SigningKey['signed']) => { headers: object; body: unknown }> = {
    "with a stranger's signature and SNS's certificate": (sign) =>
      envelopedPost(sign(envelopeOf(dataUpdate), { SigningCertURL: sns.certificateUrl })),
    'whose certificate two parsers see on two hosts': (sign) =>
      envelopedPost(
        sign(envelopeOf(dataUpdate), { SigningCertURL: `https://${snsHost}%2eattacker.example/a.pem` }),
      ),
    'whose certificate lies elsewhere': (sign) =>
      envelopedPost(
        sign(envelopeOf(dataUpdate), {
          SigningCertURL: stranger.certificateUrl.replace(snsHost, 'attacker.example'),
        }),
      ),
    'whose certificate lies with SNS in another region': (sign) =>
      envelopedPost(
        sign(envelopeOf(dataUpdate), {
          SigningCertURL: stranger.certificateUrl.replace('us-east-1', 'eu-west-1'),
        }),
      ),
    'of signature version 1': (sign) =>
      envelopedPost(sign(envelopeOf(dataUpdate), { SignatureVersion: '1' })),
    'of no signature version': (sign) =>
      envelopedPost(sign(envelopeOf(dataUpdate), { SignatureVersion: '' })),
    'of a signature version that is not text': (sign) => ({
      headers: {},
      body: { ...sign(envelopeOf(dataUpdate)), SignatureVersion: { toString: null } },
    }),
    'without a signature': (sign) => envelopedPost(sign(envelopeOf(dataUpdate), { Signature: '' })),
    'of another topic': (sign) =>
      envelopedPost(sign(envelopeOf(dataUpdate, { TopicArn: `${topicArn}-other` }))),
    'of another type': (sign) => envelopedPost(sign(envelopeOf(dataUpdate, { Type: 'Other' }))),
    'of the type of an object’s own': (sign) =>
      envelopedPost(sign(envelopeOf(dataUpdate, { Type: 'constructor' }))),
    'that says in its headers that it is raw': () => rawPost(dataUpdate),
    'that says in its headers that it is raw, and is an envelope': (sign) =>
      rawPost(sign(envelopeOf(dataUpdate), { SigningCertURL: sns.certificateUrl })),
    'that is no JSON': () => rawPost('{'),
    'that is a list': () => rawPost('[]'),
    'that is null': () => rawPost('null'),
  };
  for (const [which, post] of Object.entries(forged)) {
    it(`is rejected ${which}`, async () => {
      await expect(unwrap(post((...fields) => stranger.signed(...fields)))).rejects.toBeInstanceOf(
        UntrustedMessageError,
      );

      const hosts = fetched.mock.calls.map(([url]) => new URL(String(url)).host);
      expect(hosts.filter((host) => host !== snsHost)).toEqual([]);
    });
  }

  it('is rejected if a field was changed after the signing', async () => {
    const message = sns.signed(envelopeOf(dataUpdate, { Subject: 'One' }));
    for (const name of ['Message', 'MessageId', 'Timestamp', 'Subject']) {
      const changed = { ...message, [name]: `${message[name]}0` };
      await expect(unwrap(envelopedPost(changed))).rejects.toThrow('not that of SNS');
    }
    const { Subject: _, ...without } = message;
    await expect(unwrap(envelopedPost(without))).rejects.toThrow('not that of SNS');
  });

  it('is rejected if text was moved between fields so that the signed text stays the same', async () => {
    const Message = `${JSON.stringify(dataUpdate)}\nMessageId\nmoved`;
    const message = sns.signed(envelopeOf(dataUpdate, { Message }));
    const moved = {
      ...message,
      Message: JSON.stringify(dataUpdate),
      MessageId: `moved\nMessageId\n${message.MessageId}`,
    };

    await expect(unwrap(envelopedPost(moved))).rejects.toThrow(UntrustedMessageError);
  });

  it('is rejected if it is older than the maximum age, if one is set', async () => {
    const Timestamp = new Date(Date.now() - 61_000).toISOString();
    const old = envelopedPost(sns.signed(envelopeOf(dataUpdate, { Timestamp })));

    await expect(unwrap(old, { maxAgeSeconds: 60 })).rejects.toThrow('Signed more than 60 s ago');
    expect(await unwrap(old, { maxAgeSeconds: 120 })).toMatchObject({ notification: dataUpdate });
    expect(await unwrap(old)).toMatchObject({ notification: dataUpdate });
    const timeless = envelopedPost(sns.signed(envelopeOf(dataUpdate, { Timestamp: 'today' })));
    await expect(unwrap(timeless, { maxAgeSeconds: 60 })).rejects.toThrow(UntrustedMessageError);
  });

  it('is rejected if its certificate has expired', async () => {
    const post = envelopedPost(sns.signed(envelopeOf(dataUpdate)));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 365 * 86_400_000 });

    await expect(unwrap(post)).rejects.toThrow('not valid at this time');
  });

  it('fails while its certificate cannot be fetched, and is accepted when it is sent again afterwards', async () => {
    const another = await newSigningKey();
    const post = envelopedPost(another.signed(envelopeOf(dataUpdate)));
    const failures: (() => Promise<Response>)[] = [
      () => Promise.reject(new TypeError('fetch failed')),
      async () => new Response('busy', { status: 503 }),
      async () => new Response('<html>Log in to this network</html>'),
    ];
    for (const failure of failures) {
      fetched.mockImplementation(failure);
      const refused = await unwrap(post).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(NoAnswerError);
    }

    fetched.mockImplementation(async () => new Response('none', { status: 404 }));
    await expect(unwrap(post)).rejects.toBeInstanceOf(UntrustedMessageError);

    fetched.mockImplementation(async () => new Response(another.certificate));
    expect(await unwrap(post)).toMatchObject({ notification: dataUpdate });
  });
});

describe('a request whose body was not read', () => {
  /** What Express 5, Express 4, a body reader for other types and Fetch leave in its place. */
  const unread = [undefined, {}, '', Buffer.alloc(0), new ArrayBuffer(0), null];

  it.each(['raw', 'enveloped'] as const)('is no refusal of the sender: %s', async (form) => {
    for (const body of unread) {
      for (const headers of [{ 'content-length': '1500' }, {}]) {
        const refused = await unwrap({ headers, body }, { form }).catch((error: unknown) => error);

        expect(refused).toBeInstanceOf(MarqueeError);
        expect(refused).not.toBeInstanceOf(UntrustedMessageError);
        expect(String(refused)).toContain('text/plain');
      }
    }
  });

  it('is refused if the sender sent no body', async () => {
    for (const body of unread) {
      for (const length of ['0', '2']) {
        await expect(unwrap({ headers: { 'content-length': length }, body })).rejects.toBeInstanceOf(
          UntrustedMessageError,
        );
      }
    }
  });
});

describe('the error of a message that is not trusted', () => {
  it.each(['Type', 'SignatureVersion'])('has no control characters of the sender: %s', async (name) => {
    const hostile = `x\n\u001b[2JSubscribed to ${topicArn}\u009b\u202e${'y'.repeat(10_000)}`;
    const message = { ...sns.signed(envelopeOf(dataUpdate)), [name]: hostile };

    const { message: said } = await unwrap(envelopedPost(message)).then(
      () => new Error('accepted'),
      (error: Error) => error,
    );

    expect(said).toMatch(/^[ -~]{1,150}$/);
    expect(said).toContain('x\\n\\u001b[2J');
  });
});

describe('invented certificate URLs', () => {
  const junk = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      envelopedPost(
        stranger.signed(envelopeOf(dataUpdate), {
          SigningCertURL: `https://${snsHost}/SimpleNotificationService-${String(index).padStart(32, '0')}.pem`,
        }),
      ),
    );
  const none = async () => new Response('none', { status: 404 });

  it('do not cause another fetch of the certificate of SNS', async () => {
    const another = await newSigningKey();
    const post = envelopedPost(another.signed(envelopeOf(dataUpdate)));
    fetched.mockImplementation(async () => new Response(another.certificate));
    await unwrap(post);
    vi.useFakeTimers();
    fetched.mockImplementation(none);
    const refused = junk(40).map((one) => unwrap(one).catch((error: unknown) => error));
    await vi.runAllTimersAsync();
    await Promise.all(refused);
    fetched.mockClear();

    expect(await unwrap(post)).toMatchObject({ notification: dataUpdate });

    expect(fetched).not.toHaveBeenCalled();
  });

  it('are fetched one at a time with pauses, and a message above the limit gets an answer that makes SNS send it again', async () => {
    vi.useFakeTimers();
    let running = 0;
    let atOnce = 0;
    fetched.mockImplementation(async () => {
      running += 1;
      atOnce = Math.max(atOnce, running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running -= 1;
      return none();
    });

    const refused = junk(1_000).map((one) => unwrap(one).catch((error: unknown) => error));
    await vi.advanceTimersByTimeAsync(1_000);

    expect(atOnce).toBe(1);
    expect(fetched.mock.calls.length).toBeLessThanOrEqual(5);
    await vi.runAllTimersAsync();
    const errors = await Promise.all(refused);
    expect(fetched.mock.calls.length).toBeLessThanOrEqual(16);
    expect(errors.filter((error) => error instanceof UntrustedMessageError)).toHaveLength(
      fetched.mock.calls.length,
    );
    expect(errors.filter((error) => error instanceof NoAnswerError)).toHaveLength(
      1_000 - fetched.mock.calls.length,
    );
  });
});

describe('a raw notification', () => {
  const raw = { form: 'raw' } as const;

  it.each(operations)(
    'of the type $operation_type is returned by the parser unchanged and marked as unsigned',
    async (notification) => {
      expect(await unwrap(rawPost(notification), raw)).toEqual({
        type: 'Notification',
        messageId: 'message-1',
        isSigned: false,
        notification,
      });
    },
  );

  it('keeps an unknown field', async () => {
    const notification = { ...dataUpdate, added_one_day: true };

    expect(await unwrap(rawPost(notification), raw)).toMatchObject({ notification });
  });

  const written = {
    'X-Amz-Sns-Message-Type': 'Notification',
    'X-Amz-Sns-Topic-Arn': topicArn,
    'X-Amz-Sns-Rawdelivery': 'true',
  };
  it.each([
    ['Node', rawPost(dataUpdate).headers],
    ['Lambda', written],
    ['Fetch', new Headers(written)],
    ['a load balancer', { ...written, 'X-Amz-Sns-Topic-Arn': [topicArn] }],
  ])('is read with the headers of %s', async (_, headers) => {
    expect(await unwrap({ headers, body: JSON.stringify(dataUpdate) }, raw)).toMatchObject({
      notification: dataUpdate,
    });
  });

  it.each([
    ['of another topic', rawPost(dataUpdate, { 'x-amz-sns-topic-arn': 'other' })],
    ['in an envelope', rawPost(dataUpdate, { 'x-amz-sns-rawdelivery': 'false' })],
    ['without a type', { headers: {}, body: JSON.stringify(dataUpdate) }],
    ['without a user', rawPost({ ...dataUpdate, application_user_sub: '' })],
    ['without a contract', rawPost({ ...tokenUpdate, contract_address: undefined })],
    ['without a token', rawPost({ ...tokenUpdate, id: undefined })],
    ['without an operation', rawPost({ ...dataUpdate, operation_type: 7 })],
    ['that is no JSON', rawPost('{')],
  ])('is rejected %s', async (_, post) => {
    await expect(unwrap(post, raw)).rejects.toBeInstanceOf(UntrustedMessageError);
  });

  it('is rejected in an envelope if the raw form is configured, even with a valid signature', async () => {
    const signed = sns.signed(envelopeOf(dataUpdate));

    for (const type of ['Notification', 'SubscriptionConfirmation']) {
      const post = { headers: { 'x-amz-sns-message-type': type }, body: signed };
      await expect(unwrap(post, raw)).rejects.toThrow('where raw was agreed upon');
    }
  });
});

describe.each(['raw', 'enveloped'] as const)('a subscription confirmation in the %s form', (form) => {
  it('is sent to the SubscribeURL once, when confirm is called', async () => {
    const message = await unwrap(envelopedPost(sns.signed(confirmationOf())), { form });
    if (message.type !== 'SubscriptionConfirmation') throw new Error(`It is a ${message.type}`);
    fetched.mockClear();

    await message.confirm();

    expect(fetched.mock.calls.map(([url]) => String(url))).toEqual([message.subscribeUrl]);
  });

  it('is rejected without a valid signature of SNS', async () => {
    const forged = stranger.signed(confirmationOf(), { SigningCertURL: sns.certificateUrl });

    await expect(unwrap(envelopedPost(forged), { form })).rejects.toThrow('not that of SNS');
  });

  const query = `Action=ConfirmSubscription&TopicArn=${topicArn}&Token=t`;
  const refused: Record<string, Fields> = {
    'on another host': { SubscribeURL: `https://evil.example.com/?${query}` },
    'on a host that only ends like it': { SubscribeURL: `https://evil${snsHost}/?${query}` },
    'on a host that only starts like it': { SubscribeURL: `https://${snsHost}.evil.example.com/?${query}` },
    'on a host that is escaped': { SubscribeURL: `https://${snsHost}%2eevil.example.com/?${query}` },
    'with the host as a user name': { SubscribeURL: `https://${snsHost}@evil.example.com/?${query}` },
    'with a user name': { SubscribeURL: `https://user@${snsHost}/?${query}` },
    'with a password': { SubscribeURL: `https://:word@${snsHost}/?${query}` },
    'with a path': { SubscribeURL: `https://${snsHost}/elsewhere?${query}` },
    'on another port': { SubscribeURL: `https://${snsHost}:8443/?${query}` },
    'in the clear': { SubscribeURL: `http://${snsHost}/?${query}` },
    'that is none': { SubscribeURL: 'subscribe' },
    'that does something else': {
      SubscribeURL: `https://${snsHost}/?Action=Unsubscribe&TopicArn=${topicArn}`,
    },
    'for another topic': { SubscribeURL: `https://${snsHost}/?${query.replace('changes', 'other')}` },
    'in a message of another topic': { TopicArn: `${topicArn}-other` },
  };
  for (const [which, over] of Object.entries(refused)) {
    it.each(['SubscriptionConfirmation', 'UnsubscribeConfirmation'])(
      `is rejected ${which}, in a %s`,
      async (Type) => {
        const post = envelopedPost(sns.signed(confirmationOf({ ...over, Type })));

        await expect(unwrap(post, { form })).rejects.toThrow(
          /^Not a confirmation of|^A message of another topic/,
        );
        expect(fetched).not.toHaveBeenCalled();
      },
    );
  }
});

describe('the options of createWebhooks', () => {
  it.each<[string, Partial<Record<keyof WebhookOptions, unknown>>]>([
    ['topicArn', { topicArn: undefined }],
    ['topicArn', { topicArn: 'arn:aws:sns:us-east-1.attacker.example/:000000000000:changes' }],
    ['form', { form: undefined }],
    ['form', { form: 'signed' }],
    ['maxAgeSeconds', { maxAgeSeconds: Number.NaN }],
    ['maxAgeSeconds', { maxAgeSeconds: 0 }],
    ['maxAgeSeconds', { form: 'raw', maxAgeSeconds: 60 }],
  ])('cause an error that names %s if they are %o', (name, options) => {
    const making = () => webhooks(options as Partial<WebhookOptions>);

    expect(making).toThrow(MarqueeError);
    expect(making).toThrow(name);
  });

  it('allow certificates only from the host of SNS in the region of the topic', async () => {
    const china = 'arn:aws-cn:sns:cn-north-1:000000000000:changes';
    const message = { ...sns.signed(envelopeOf(dataUpdate, { TopicArn: china })) };
    const at = (host: string) =>
      envelopedPost({ ...message, SigningCertURL: sns.certificateUrl.replace(snsHost, host) });

    await expect(unwrap(at('sns.cn-north-1.amazonaws.com'), { topicArn: china })).rejects.toThrow(
      'not the address of a certificate on sns.cn-north-1.amazonaws.com.cn',
    );
    await expect(unwrap(at('sns.cn-north-1.amazonaws.com.cn'), { topicArn: china })).rejects.toThrow(
      'not that of SNS',
    );
  });
});
