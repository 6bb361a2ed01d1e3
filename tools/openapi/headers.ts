import type { Json } from './schemas.ts';

const examples: Readonly<Record<string, string>> = {
  'Cache-Control': 'public, max-age=60',
  'Idempotent-Replayed': 'true',
  ETag: '"3"',
  Link: '<https://api.example.com/api/v1/nft/contracts/?limit=50&cursor=Zm9v>; rel="next"',
  Location: 'https://api.example.com/api/v1/nft/contracts/0x5FbDB2315678afecb367f032d93F642f64180aa3',
  'Set-Cookie': 'CloudFront-Policy=eyJTd…; Path=/; Secure; HttpOnly; SameSite=None',
};

export const headersOf = (headers: Readonly<Record<string, string>> | undefined): { headers?: Json } => {
  if (headers === undefined) return {};
  return {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [
        name,
        name === 'Retry-After'
          ? { description, schema: { type: 'integer', minimum: 0 }, example: 10 }
          : { description, schema: { type: 'string' }, example: examples[name] },
      ]),
    ),
  };
};
