import { Duration, Fn, Stack } from 'aws-cdk-lib';
import * as kms from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { ServiceSecret } from '../constructs/encryption.ts';
import { kept, stageOf } from '../constructs/stage.ts';

/** The numbers of the stage's signers, from 1. A signer keeps its number for ever. */
export const signerNumbers = (scope: Construct): number[] =>
  Array.from({ length: stageOf(scope).nft.signers }, (_, index) => index + 1);

/** The id of a resource that each signer has. The first signer's has no number, because it was once the only one. */
export const ofSigner = (id: string, number: number): string => (number === 1 ? id : `${id}${number}`);

/** The stage's signing keys, its RPC endpoints, and the settings for both. */
export class ChainAccess extends Construct {
  /**
   * One key for each signer. A new signer always comes last. A key's address owns contracts for ever, so the key
   * outlives the stack and can be replicated to another Region.
   */
  private readonly keyArns = signerNumbers(this).map(
    (number) =>
      new kms.Key(this, ofSigner('SigningKey', number), {
        description: `Signs NFT transactions of the stage (signer ${number}); owns the contracts that it made`,
        keySpec: kms.KeySpec.ECC_SECG_P256K1,
        keyUsage: kms.KeyUsage.SIGN_VERIFY,
        multiRegion: true,
        removalPolicy: kept,
        pendingWindow: Duration.days(30),
      }).keyArn,
  );
  /** `{"urls": ["https://…"]}`, best first. */
  readonly endpoints = new ServiceSecret(this, 'ChainSecret', {
    description: 'RPC endpoints of the chain: {"urls": ["https://…"]}, best first',
  });
  /**
   * The endpoints that are asked about tickets, in the same form. They are the chain's own unless the stage has others.
   */
  readonly ticketEndpoints = stageOf(this).ott.ownTicketEndpoints
    ? new ServiceSecret(this, 'TicketChainSecret', {
        description: 'RPC endpoints that tickets are asked for: {"urls": ["https://…"]}, best first',
      })
    : this.endpoints;

  /** The keys' ARNs in the order of the signers, separated by commas. */
  readonly keyIds = Fn.join(',', this.keyArns);

  readonly readEndpoints = this.endpoints.readAs('CHAIN_SECRET_ARN');
  /**
   * For functions that ask the chain about tokens for viewers, customers and users. Their questions never use up an
   * endpoint's rate that mints need.
   */
  readonly readTicketEndpoints = this.ticketEndpoints.readAs('CHAIN_SECRET_ARN');
  /** Allows signing digests and reading the list of endpoints, and nothing else. */
  readonly sign = [
    this.readEndpoints,
    { actions: ['kms:GetPublicKey'], resources: this.keyArns },
    {
      actions: ['kms:Sign'],
      resources: this.keyArns,
      conditions: { StringEquals: { 'kms:MessageType': 'DIGEST' } },
    },
  ];

  readonly chainId = { CHAIN_ID: String(stageOf(this).nft.chainId) };

  get environment() {
    const { nft } = stageOf(this);
    return {
      ...this.chainId,
      CHAIN_FINALITY: Stack.of(this).toJsonString(nft.finality),
      BLOCK_MILLISECONDS: String(nft.blockSeconds * 1_000),
      SIGNER_KEY_IDS: this.keyIds,
      IN_FLIGHT_CAP: String(nft.inFlightCap),
      FEE_CEILING_WEI: String(nft.feeCeiling),
      ENDPOINT_FEE_CAP_WEI: String(nft.endpointFeeCap ?? 0),
      MINIMUM_TIP_WEI: String(nft.minimumTip),
    };
  }
}
