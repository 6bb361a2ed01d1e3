import { describe, expect, it } from 'vitest';
import { updateTokenMetadataOperation } from '../../../shared/nft/http/operations.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { type MetadataFile, metadataFiles } from '../../support/nft/metadata-files.ts';
import { aContext, anApiEvent } from '../../support/ott/api-event.ts';

/** Sends a file as the new metadata of a token. API Gateway passes its bytes on as text. */
const send = async (file: MetadataFile['file']) => {
  const taking = operationFunction(updateTokenMetadataOperation, async ({ body }) => ({ status: 202, body }));
  const { statusCode, body } = await taking(
    anApiEvent({
      method: 'PUT',
      path: { contract_address: `0x${'ab'.repeat(20)}`, id: '1' },
      body: file.toString('utf8'),
    }),
    aContext(),
  );
  const { errors = [] }: { errors?: { path: string; message: string }[] } = JSON.parse(body);
  return {
    isAccepted: statusCode === 202,
    fields: errors.map(({ path }) => path),
    reasons: [...new Set(errors.map(({ message }) => message))],
  };
};

describe('a file of metadata as collections have them', () => {
  it.each(metadataFiles)(
    'is accepted, or refused with the one reason that its author needs: $what',
    async ({ file, refused }) => {
      expect(await send(file)).toEqual(
        refused === undefined
          ? { isAccepted: true, fields: [], reasons: [] }
          : { isAccepted: false, fields: refused.fields, reasons: [refused.reason] },
      );
    },
  );

  it('is one of at least thirty, more than half of which are accepted', () => {
    const accepted = metadataFiles.filter(({ refused }) => refused === undefined);

    expect(metadataFiles.length).toBeGreaterThanOrEqual(30);
    expect(accepted.length).toBeGreaterThan(metadataFiles.length / 2);
  });
});
