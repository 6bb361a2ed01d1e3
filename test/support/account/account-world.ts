import type { PrivateKeyAccount } from 'viem/accounts';
import { exportDependencies } from '../../../functions/account/dependencies.ts';
import { exportUserHandler } from '../../../functions/account/export-user/handler.ts';
import { setTokenDestinationHandler } from '../../../functions/nft/mint-token/set-destination-handler.ts';
import { revokeTokenHandler } from '../../../functions/nft/revoke-token/handler.ts';
import { exportUserOperation } from '../../../shared/account/http/operations.ts';
import { type Address, lowerCase } from '../../../shared/chain/hex.ts';
import * as nftOperations from '../../../shared/nft/http/operations.ts';
import { claimOwnToken } from '../../../shared/nft/reservations/claim-own.ts';
import { createStreamSessions } from '../../../shared/ott/sessions/stream-sessions.ts';
import { dynamoDbSessions } from '../../../shared/ott/store/sessions.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { type CursorScope, sealCursor } from '../../../shared/platform/http/cursor.ts';
import type { Operation } from '../../../shared/platform/http/operation.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { newRandomId } from '../../../shared/platform/random-id.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import { putUserData } from '../../../shared/users/put-user-data.ts';
import { removeUser } from '../../../shared/users/remove-user.ts';
import { dynamoDbUsers } from '../../../shared/users/store/users.ts';
import type { UserDataChange } from '../../../shared/users/user-data.ts';
import { createChallenge } from '../../../shared/wallets/create-challenge.ts';
import { linkWallet } from '../../../shared/wallets/link-wallet.ts';
import { dynamoDbChallenges } from '../../../shared/wallets/store/challenges.ts';
import { dynamoDbWallets } from '../../../shared/wallets/store/wallets.ts';
import { startWorld } from '../nft/world.ts';
import { aContext, anApiEvent } from '../ott/api-event.ts';
import { anApplication } from '../platform/applications.ts';
import { createTables, type TestDatabase } from '../platform/dynamodb.ts';

const cursorSecret = 'a secret of thirty-two characters';
const origin = 'https://www.example.com';
export const accountClient = 'account-page';

type Fields = Readonly<Record<string, unknown>>;

/** As much of the answers as the tests read. */
interface Answered extends Fields {
  readonly message?: string;
  readonly error_fields?: string;
  readonly errors?: readonly Fields[];
  readonly wallets?: readonly Fields[];
  readonly tokens?: readonly Fields[];
  readonly user_data?: Fields;
  readonly counts?: readonly Fields[];
}

/** Calls an operation as API Gateway does. */
const ask = async <Path, Query, Body>(
  operation: Operation<Path, Query, Body>,
  handler: Parameters<typeof operationFunction<Path, Query, Body>>[1],
  question: Parameters<typeof anApiEvent>[0],
) => {
  const { method, route: resource } = operation;
  const answer = await operationFunction(operation, handler)(
    anApiEvent({ method, resource, ...question }),
    aContext(),
  );
  const body: Answered = JSON.parse(answer.body);
  return { status: answer.statusCode, headers: answer.headers ?? {}, body };
};

/** The cursor of the next page, in a `Link` header. */
const cursorIn = (link: unknown): string | undefined => {
  const [, target] = /<([^>]*)>; rel="next"/.exec(String(link)) ?? [];
  return target === undefined ? undefined : (new URL(target).searchParams.get('cursor') ?? undefined);
};

/** Applications, and users who have something of everything, on a real database and a real chain. */
export const startAccountWorld = async (database: TestDatabase) => {
  const client = database.documents;
  const world = await startWorld({ database, passMilliseconds: 1_000 });
  const added = await createTables(database, ['Wallets', 'Sessions', 'Applications'], 'account');
  const tables = { ...world.tables, ...added };
  const { clock } = world;
  const registry = dynamoDbApplications({ client, tableName: tables.Applications });
  const wallets = dynamoDbWallets({ client, tableName: tables.Wallets });
  const challenges = dynamoDbChallenges({ client, tableName: tables.Wallets });
  const { subs } = world.ports;
  const users = dynamoDbUsers({
    client,
    tableName: tables.Users,
    subsTableName: tables.ApplicationUserSubs,
    walletsTableName: tables.Wallets,
  });

  const nftDependencies = () => {
    const submitting = world.submitDependencies();
    return { ...submitting, applications: { ...submitting.applications, ...registry } };
  };

  const verifyAccessToken = async (header: string | undefined) => {
    const [sub = '', clientId] = (header ?? '').split(' ');
    return { sub, clientId };
  };
  const environment = {
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_AUDIENCE: { claim: 'aud' as const, values: ['marquee'] },
    OIDC_ALGORITHMS: ['RS256' as const],
    OIDC_NONCE: 'refused' as const,
    OIDC_TOKEN_TYPE: 'any' as const,
    OIDC_CLIENT_CLAIMS: ['azp'],
    POWERTOOLS_METRICS_NAMESPACE: 'test',
    ACCOUNT_CLIENTS: [accountClient],
    CURSOR_SECRET_ARN: 'cursor',
    APPLICATIONS_TABLE: tables.Applications,
    CONTRACTS_TABLE: tables.Contracts,
    NFTS_TABLE: tables.Nfts,
    SESSIONS_TABLE: tables.Sessions,
    SUBS_TABLE: tables.ApplicationUserSubs,
    TOKEN_HISTORY_TABLE: tables.TokenHistory,
    TRANSACTIONS_TABLE: tables.Transactions,
    USERS_TABLE: tables.Users,
    WALLETS_TABLE: tables.Wallets,
  };
  const exporting = {
    ...exportDependencies(environment, { client, clock, verifyAccessToken }),
    readCursorSecret: async () => cursorSecret,
  };

  const exportPage = (
    userSub: string,
    { cursor, as = accountClient }: { cursor?: string; as?: string } = {},
  ) =>
    ask(exportUserOperation, exportUserHandler(exporting), {
      headers: { authorization: `${userSub} ${as}` },
      query: cursor === undefined ? {} : { cursor },
    });

  return {
    ...world,
    tables,
    users,
    subs,
    wallets,
    registry,
    exportPage,
    /** All pages, and the cursors of all but the first. */
    exportAll: async (userSub: string) => {
      const pages: Awaited<ReturnType<typeof exportPage>>[] = [];
      const cursors: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await exportPage(userSub, cursor === undefined ? {} : { cursor });
        pages.push(page);
        cursor = cursorIn(page.headers.link);
        if (cursor === undefined) break;
        cursors.push(cursor);
      }
      const whole: Answered = pages[0]?.body ?? {};
      return { pages, cursors, whole: { ...whole, tokens: pages.flatMap(({ body }) => body.tokens ?? []) } };
    },
    seal: (scope: CursorScope, position: unknown) => sealCursor({ secret: cursorSecret, scope, position }),

    addApplication: async (id: string, name: string): Promise<Application> => {
      const { version: _, ...application } = anApplication({
        id,
        name,
        apiKeyIds: [`key-${id}`],
        clientIds: [`client-${id}`],
        limits: { contractsPerDay: 1_000, mintsPerDay: 10_000 },
      });
      return registry.create(application);
    },
    /** Makes a change of the user's own data, by a page of the application if one is given. */
    put: (userSub: string, change: UserDataChange, applicationId?: string) =>
      putUserData({ users, subs, clock }, { userSub, applicationId, change, changesPerHour: 60 }),
    link: async (userSub: string, wallet: PrivateKeyAccount) => {
      const address = lowerCase(wallet.address);
      const { id, message } = await createChallenge(
        { users, challenges, clock, chainId: 31_337, isEmailTrusted: false, randomHex: newRandomId },
        { userSub, applicationName: 'Page', address, origin },
      );
      await linkWallet(
        { challenges, wallets, contracts: { isValid: async () => false }, ticketSeconds: 300, clock },
        {
          userSub,
          address,
          challengeId: id,
          signature: lowerCase(await wallet.signMessage({ message })),
          origin,
        },
      );
    },
    /** Ends the registration, as an erasure by the user does. */
    erase: (userSub: string) => removeUser({ users, clock }, { userSub, erasuresPerDay: 2 }),
    give: async (application: Application, token: { contract: Address; tokenId: string }, to: string) => {
      const answer = await ask(
        nftOperations.setDestinationOperation,
        setTokenDestinationHandler(nftDependencies()),
        {
          apiKeyId: application.apiKeyIds[0] ?? '',
          path: { contract_address: token.contract, id: token.tokenId },
          body: { destination: to },
        },
      );
      if (answer.status !== 200) throw new Error(`Not given: ${JSON.stringify(answer)}`);
    },
    revoke: async (application: Application, token: { contract: Address; tokenId: string }) => {
      const answer = await ask(nftOperations.revokeTokenOperation, revokeTokenHandler(nftDependencies()), {
        apiKeyId: application.apiKeyIds[0] ?? '',
        path: { contract_address: token.contract, id: token.tokenId },
      });
      if (answer.status !== 200) throw new Error(`Not revoked: ${JSON.stringify(answer)}`);
    },
    claim: (
      application: Application,
      token: { contract: Address; tokenId: string },
      { userSub, address }: { readonly userSub: string; readonly address: Address },
    ) =>
      claimOwnToken(
        { ...nftDependencies(), wallets, claimAfterSeconds: 0, claimsPerDay: 100 },
        { application, userSub, ...token, address: lowerCase(address) },
      ),
    /** Begins a session of a paid stream. */
    play: (userSub: string, eventId: string, applicationId: string) =>
      createStreamSessions({
        store: dynamoDbSessions({ client, tableName: tables.Sessions }),
        clock,
        newContinuation: newRandomId,
        logger: { warn: () => {} },
        sessionSeconds: 300,
      }).hold({
        userSub,
        sessionId: newRandomId(),
        eventId,
        address: '203.0.113.7',
        limits: new Map([[applicationId, 2]]),
        isReadOnly: false,
      }),
  };
};

export type AccountWorld = Awaited<ReturnType<typeof startAccountWorld>>;
