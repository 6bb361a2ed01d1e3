const signs = 'signs any transaction for every signer of the stage until it is stopped';
const forgesLog =
  'adds or replaces entries of the transaction log, moves the nonce of a signer, and lowers the daily counts of any application';
const tokens = 'changes what is stored of any token, such as for whom it is reserved';
const lines = 'adds lines to the history of any token, or replaces some';
const histories = 'reads what happened to any token, and all transactions';
const readsRegistrations = 'learns which users are registered';
const outages = 'pretends that the entitlement or geolocation service fails or works';
const outsideKeys = 'reads the keys of the entitlement and geolocation services';
const settings = 'reads the settings of any application whose id it knows';
const allSettings = 'reads the settings of all applications';
const rpc = 'reads the addresses of the RPC endpoints, which may contain keys';
const cursors = 'forges cursors of lists';
const sends =
  'sends any message to all endpoints of all customers. A message has no data, and makes them read again';

/**
 * The worst that somebody can do who has taken over a role, in addition to writing lines into its own log. A person has
 * read this beside what the role may do. If the role changes, it must be read again.
 */
export const worstCases: Readonly<Record<string, readonly string[]>> = {
  B2bApiInvokerRole: ['calls the functions of the b2b API as any application'],
  BaseApiInvokerRole: ['calls the functions of the base API as any application or editor'],
  ProfileApiInvokerRole: ['calls the functions of the profile API, which judge the access token themselves'],
  GatewayAccountRole: ["writes lines into the account's logs"],
  NftWaiterStateMachineRole: [
    'has the waiter work for a signer at the wrong time, which does no harm',
    "changes what the account's logs are delivered to, and who may write them",
  ],
  UserDataNotificationsDeliveryLogRole: [
    'records deliveries that never were, or hides failures: customers see wrong outcomes, and miss what is not sent again',
  ],
  'account/erase-user': ["reads, replaces and deletes any user's data, and ends any user's registration"],
  'account/export-user': [
    'reads all that is stored of any user: data, identifiers, wallets, tokens and their histories, sessions',
    settings,
    cursors,
  ],
  'account/forget-users': [
    'reads which users are removed',
    'unlinks any wallet, or links any wallet to any user without a proof',
    tokens,
    'loses what must be forgotten later',
  ],
  'account/preview-erasure': ["reads any user's data", "learns users' wallets and tokens", allSettings],
  'nft/claim-token': [signs, forgesLog, tokens, settings, rpc, readsRegistrations, "learns users' wallets"],
  'nft/create-contract': [
    signs,
    forgesLog,
    'adds collections, or replaces what is stored of any',
    settings,
    'moves an application to another signer, but changes nothing else of it',
    rpc,
  ],
  'nft/get-token-owner': ['reads any token whose contract and id it knows', settings, rpc],
  'nft/list-user-tokens': ["reads any user's tokens", histories, readsRegistrations, settings, cursors],
  'nft/mint-batch': [signs, forgesLog, `adds tokens, and ${tokens}`, readsRegistrations, settings, rpc],
  'nft/mint-token': [
    signs,
    forgesLog,
    `adds tokens, and ${tokens}`,
    lines,
    readsRegistrations,
    settings,
    rpc,
  ],
  'nft/revoke-token': [signs, forgesLog, tokens, lines, settings, rpc],
  'nft/run-waiter': [
    signs,
    'changes any entry of the transaction log, and the outcome of any token or collection',
    rpc,
  ],
  'nft/set-royalty': [signs, forgesLog, 'changes what is stored of any collection', settings, rpc],
  'nft/show-collections': [
    "reads any application's collections and tokens",
    histories,
    readsRegistrations,
    settings,
    cursors,
  ],
  'nft/show-metadata': ['reads collections and tokens, whose metadata is public'],
  'nft/update-contract-metadata': [
    signs,
    forgesLog,
    'changes what is stored of any collection',
    settings,
    rpc,
  ],
  'nft/update-metadata-batch': [signs, forgesLog, tokens, lines, settings, rpc],
  'nft/update-token-metadata': [signs, forgesLog, tokens, lines, settings, rpc],
  'nft/watch-signers': [
    'reads the transaction log',
    'changes the state of a signer, so that it sends too early or not at all',
    rpc,
  ],
  'notifications/forward-deliveries': [
    'records deliveries that never were: customers see wrong outcomes, and what failed is not sent again',
  ],
  'notifications/publish-changes': [
    "reads users' data and all transactions as they are written",
    sends,
    'gives identifiers to other users, or ends them',
    allSettings,
    "reads customers' endpoints",
  ],
  'notifications/publish-events': [
    'reads everything that is written into the events table, also changes of hidden events',
    sends,
    allSettings,
    "reads customers' endpoints",
  ],
  'notifications/record-notifications': [
    'forges, changes or deletes the record of notifications: a batch write may also delete',
    "changes the state of customers' endpoints",
    "loses what waits in the record's queue",
    'has notifications sent again',
  ],
  'notifications/run-replays': [
    sends,
    'changes what the record says of a delivery',
    "changes the state of customers' endpoints",
    'deletes what is to be sent again, so that customers miss it',
    'loses replays that wait',
  ],
  'notifications/send-notifications': [sends, 'starts replays for any application', settings],
  'notifications/show-notifications': [
    'reads the record of notifications of all applications',
    settings,
    cursors,
  ],
  'ott/apply-schedules': [
    'changes any event, as an editor can, but neither creates nor deletes one',
    "writes changes that nobody made into the history of events, also in an editor's name. The function's log cannot be changed",
  ],
  'ott/edit-catalogue': [
    'changes, creates and deletes any event',
    "writes changes that nobody made into the history of events, also in another editor's name, and lowers the counts of changes. The function's log cannot be changed",
    settings,
    rpc,
    cursors,
  ],
  'ott/end-stream': ["ends any viewer's sessions, or gives a viewer more of them", settings],
  'ott/get-event': ['reads any event, also a hidden one', outages, outsideKeys, settings],
  'ott/get-stream': [
    'reads the private key of the streams, and signs any stream for any time',
    'reads any event, also a hidden one',
    "ends any viewer's sessions, or gives a viewer more of them",
    outages,
    outsideKeys,
    "learns users' wallets and reserved tokens",
    settings,
    rpc,
  ],
  'ott/list-events': ['reads any event, also a hidden one', outages, outsideKeys, settings, cursors],
  'ott/void-token': [
    lines,
    'makes any token void as a ticket, or valid again',
    'reads any token whose contract and id it knows',
    settings,
  ],
  'platform/check-stage': [
    'learns whether parts of the stage are switched on',
    'reads the API key of the canary, whose application owns nothing',
  ],
  'platform/get-document': ['does nothing: it may only write its log'],
  'users/exchange-user-subs': [readsRegistrations, 'gives identifiers to other users', settings],
  'users/get-application-user-sub': [readsRegistrations, 'gives identifiers to other users', settings],
  'users/get-user-data': ["reads any user's data"],
  'users/put-user-data': [
    "reads, changes and replaces any user's data, also read-only keys",
    'gives identifiers to other users',
    settings,
  ],
  'users/read-user-data': ["reads any user's data", settings],
  'wallets/create-wallet-challenge': [
    "reads any user's data",
    "replaces challenges, and resets users' hourly counts",
    settings,
  ],
  'wallets/link-wallet': [
    "reads users' wallets, links any wallet to any user without a proof, or unlinks it",
    rpc,
  ],
  'wallets/list-wallets': [
    "reads users' wallets, links any wallet to any user without a proof, or unlinks it",
    readsRegistrations,
  ],
};
