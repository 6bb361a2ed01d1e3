/**
 * Everything that the tables can have, and where the export of a user shows it. What it does not show has a reason.
 */

/** A field of the export, such as `wallets.address`. A list has no part of its own in such a path. */
interface Shown {
  readonly shownAs: string;
}
type Where = Shown | string;
type Attributes = Readonly<Record<string, Where>>;

/** A kind of items. */
export interface Kind {
  readonly table: string;
  /** What the key of such an item looks like. The first kind of a table that fits counts. */
  readonly key: RegExp;
  /**
   * The schemas that read such items, as `storedSchemas` names them, or a part of them. A part has the name of its
   * attribute before it, such as `wallets: …`.
   */
  readonly schemas: readonly string[];
  /** An attribute of an object within another has both names. A map whose keys are data is one attribute. */
  readonly attributes: Attributes;
}

const shown = (shownAs: string): Shown => ({ shownAs });

const key = 'is made of what other attributes say';
const orders = 'only orders the writes of the item';
const lifetime = 'only says when the item may be deleted';
const registration = 'is random, and known to nobody outside the service';
const hash = 'is a hash by which nobody can be found';

/** Attributes of items that have nothing to do with users. */
const notOfUsers = (why: string, ...names: readonly string[]): Attributes =>
  Object.fromEntries(names.flatMap((each) => each.split(' ')).map((name) => [name, why]));

const users: readonly Kind[] = [
  {
    table: 'Users',
    key: /^/,
    schemas: [
      'users/store/user-items itemSchema',
      'users/store/user-items registrationSchema',
      'users/store/user-items changeSchema',
      'users/store/user-items traceSchema',
      'users/store/user-items countsShape',
      'account/store/removals removalSchema',
      'users/store/restored-users userSchema',
      'notifications/store/stream-records imageSchema',
    ],
    attributes: {
      user_sub: shown('user_sub'),
      registration_id: registration,
      version: orders,
      changed_at: shown('changed_at'),
      registered_at: shown('registered_at'),
      user_data: shown('user_data'),
      user_agreements: shown('user_agreements'),
      hour_began_at: shown('counts.since'),
      changes_in_hour: shown('counts.count'),
      erasure_day_began_at: shown('counts.since'),
      erasures_in_day: shown('counts.count'),
      is_removed: 'is only in the tombstone of a user who is not registered',
      expires_at: 'is only in the tombstone of a user who is not registered',
    },
  },
  {
    table: 'ApplicationUserSubs',
    key: /^REGISTRATION#/,
    schemas: [
      'users/store/application-user-subs forwardSchema',
      'users/store/restored-users forwardSchema',
      'users/store/restored-users linkSchema',
    ],
    attributes: {
      pk: key,
      sk: key,
      application_id: shown('applications.name'),
      application_user_sub: shown('applications.application_user_sub'),
      is_linked: shown('applications.is_linked'),
      registration_id: registration,
      user_sub: shown('user_sub'),
      expires_at: 'is only in identifiers of a registration that has ended',
    },
  },
  {
    table: 'ApplicationUserSubs',
    key: /^SUB#/,
    schemas: ['users/store/application-user-subs reverseSchema'],
    attributes: {
      pk: key,
      sk: key,
      application_id: shown('applications.name'),
      application_user_sub: shown('applications.application_user_sub'),
      user_sub: shown('user_sub'),
      registration_id: registration,
      expires_at: 'is only in identifiers of a registration that has ended',
    },
  },
  {
    table: 'ApplicationUserSubs',
    key: /^ENDED#/,
    schemas: [],
    attributes: notOfUsers('is about a registration that has ended', 'pk sk expires_at'),
  },
];

const wallets: readonly Kind[] = [
  {
    table: 'Wallets',
    key: /^USER#/,
    schemas: [
      'wallets/store/wallets userSchema',
      'wallets: wallets/store/wallets linkedSchema',
      'wallets/store/restored-wallets userSchema',
    ],
    attributes: {
      pk: key,
      user_sub: shown('user_sub'),
      registration_id: registration,
      version: orders,
      wallets: shown('wallets'),
      'wallets.address': shown('wallets.address'),
      'wallets.linked_at': shown('wallets.linked_at'),
      'wallets.opens_from': shown('wallets.gives_access_from'),
      'wallets.opens_until': shown('wallets.expires_at'),
      'wallets.proof': 'is a hash, which recognizes a call that is repeated',
    },
  },
  {
    table: 'Wallets',
    key: /^ADDRESS#/,
    schemas: ['wallets/store/wallets ownershipSchema', 'wallets/store/restored-wallets ownershipSchema'],
    attributes: {
      pk: key,
      holder: hash,
      registration_id: registration,
      proven_at: shown('wallets.proven_at'),
      opens_from: shown('wallets.gives_access_from'),
      freed_at: 'is of a wallet that is linked no more. Only who has its address can find it',
      version: orders,
      expires_at: lifetime,
    },
  },
  {
    table: 'Wallets',
    key: /^CHALLENGE#/,
    schemas: ['wallets/store/challenges challengeSchema'],
    attributes: notOfUsers(
      'is of a message that lives ten minutes. Only its random id, which its user has, finds it',
      'pk user_sub registration_id address origin message issued_at ends_at attempts expires_at',
    ),
  },
  {
    table: 'Wallets',
    key: /^HOUR#/,
    schemas: ['wallets/store/challenges countSchema'],
    attributes: { pk: shown('counts.since'), made: shown('counts.count'), expires_at: lifetime },
  },
  {
    table: 'Wallets',
    key: /^ENDED#/,
    schemas: ['users/store/user-items endedSchema'],
    attributes: notOfUsers('is about a registration that has ended', 'pk changed_at expires_at'),
  },
];

const ofCollections = 'is about a collection, which is its application’s';
const ofLog = 'is about a transaction, which anybody can read on the chain';

/** Attributes that have the same names in the export, below this one. */
const shownAsTheyAre = (below: string, names: string): Attributes =>
  Object.fromEntries(names.split(' ').map((name) => [name, shown(`${below}${name}`)]));

const nfts: readonly Kind[] = [
  {
    table: 'Nfts',
    key: /#counter$/,
    schemas: [
      'nft/store/nfts counterSchema',
      'nft/store/supplies itemSchema',
      'nft/store/restored-counters counterSchema',
      'nft/store/restored-nfts counterSchema',
    ],
    attributes: notOfUsers(ofCollections, 'pk sk tokens taken returned'),
  },
  {
    table: 'Nfts',
    key: /#claims#/,
    schemas: [],
    attributes: { pk: shown('applications.application_user_sub'), sk: shown('tokens.id') },
  },
  {
    table: 'Nfts',
    key: /^/,
    schemas: [
      'nft/tokens/nft nftSchema',
      'metadata: nft/tokens/nft nftMetadataSchema',
      'metadata.attributes: nft/tokens/nft attributeSchema',
      'nft/collections/part-change changeSchema',
      'nft/store/restored-entries decidedSchema',
      'nft/store/restored-entries pendingSchema',
      'nft/store/restored-undecided pendingSchema',
    ],
    attributes: {
      pk: shown('tokens.contract_address'),
      sk: shown('tokens.id'),
      applicationId: shown('tokens.application'),
      contract: shown('tokens.contract_address'),
      tokenId: shown('tokens.id'),
      destination: shown('tokens.destinationn'),
      reservedFor: shown('applications.application_user_sub'),
      holder: hash,
      version: orders,
      nonce: ofLog,
      transactionHash: shown('tokens.transaction_hash'),
      status: shown('tokens.status'),
      failureReason: shown('tokens.failure_reason'),
      createdAt: shown('tokens.created_at'),
      hasHistory: 'only says from when on the history is known, which the export shows',
      metadataChange: shown('tokens.metadata_update'),
      revocation: shown('tokens.revocation'),
      metadata: shown('tokens.metadata'),
      ...shownAsTheyAre(
        'tokens.',
        'metadata.name metadata.description metadata.image metadata.image_preview',
      ),
      ...shownAsTheyAre(
        'tokens.',
        'metadata.image_thumbnail metadata.background_color metadata.animation_url',
      ),
      ...shownAsTheyAre('tokens.', 'metadata.youtube_url metadata.external_url metadata.attributes'),
      ...shownAsTheyAre('tokens.', 'metadata.attributes.trait_type metadata.attributes.value'),
      ...shownAsTheyAre('tokens.', 'metadata.attributes.display_type'),
    },
  },
  {
    table: 'TokenHistory',
    key: /^/,
    schemas: ['nft/history/line storedLineSchema'],
    attributes: {
      pk: shown('tokens.contract_address'),
      sk: shown('tokens.id'),
      at: shown('tokens.history.at'),
      what: shown('tokens.history.what'),
      giver: shown('tokens.history.from'),
      receiver: shown('tokens.history.to'),
      versions: orders,
      by: 'is the call or the command of the application or the operator, not of the user',
    },
  },
  {
    table: 'Contracts',
    key: /^/,
    schemas: [
      'nft/store/contracts indexedKeySchema',
      'nft/collections/contract contractSchema',
      'media: nft/collections/contract mediaItemSchema',
      'royalty: nft/collections/contract royaltySchema',
      'nft/store/restored-counters contractSchema',
    ],
    attributes: notOfUsers(
      ofCollections,
      'pk sk listed application applicationId address name symbol description image media royalty royaltyChange',
      'maxSupply transferable revocable metadataChange salt collectionVersion signer nonce transactionHash status',
      'failureReason createdAt media.type media.value royalty.receiver royalty.basisPoints',
      'royaltyChange.receiver royaltyChange.basisPoints',
    ),
  },
  {
    table: 'Transactions',
    key: /^/,
    schemas: [
      'nft/store/changes rowSchema',
      'nft/store/transaction-items envelopeSchema',
      'attempts: nft/store/transaction-items attemptSchema',
      'nft/store/restored-transactions attemptsSchema',
      'purpose: nft/transactions/purpose purposeFields',
      'purpose: nft/transactions/purpose collection',
      'nft/store/log-records recordSchema',
      'notifications/store/stream-records logRecordSchema',
      'notifications/store/stream-records keysSchema',
      'notifications/store/stream-records someLogRecordSchema',
    ],
    attributes: notOfUsers(
      ofLog,
      'pk sk collection change signer nonce purpose purpose.kind gas attempts status triedAt minedHash',
      'failureReason decidedAt missingLooks supersedes reopened told told.hash told.at attempts.hash',
      'attempts.raw attempts.maxFeePerGas attempts.maxPriorityFeePerGas attempts.signedAt',
      'attempts.cancels purpose.deploy purpose.mint purpose.mint.firstTokenId',
      'purpose.mint.destinations purpose.claim purpose.claim.tokenId purpose.claim.destination',
      'purpose.update-metadata purpose.update-metadata.from purpose.update-metadata.to',
      'purpose.update-contract-metadata purpose.set-royalty purpose.set-royalty.royalty purpose.revoke',
      'purpose.revoke.tokenId purpose.set-base purpose.set-base.base purpose.noop',
      // As items have them: what the schema lists by kind is beside the kind.
      'purpose.application purpose.applicationId purpose.contract purpose.tokenId purpose.destination',
      'purpose.firstTokenId purpose.destinations purpose.from purpose.to purpose.royalty purpose.base',
    ),
  },
  {
    table: 'Signers',
    key: /^/,
    schemas: ['nft/store/signers itemSchema'],
    attributes: notOfUsers(
      'is about a key of the service',
      'pk nextNonce lastTakenAt generation minedCount finalizedCount finalizedHeight unminedCost costedThrough fees',
      'fees.baseFeePerGas fees.maxFeePerGas fees.maxPriorityFeePerGas fees.readAt gap gap.through gap.seenAt draining',
      'reopened',
    ),
  },
  {
    table: 'Requests',
    key: /^COUNT#/,
    schemas: ['nft/store/daily-counts itemSchema', 'nft/store/restored-requests countSchema'],
    attributes: notOfUsers('is about an application', 'pk sk made expiresAt'),
  },
  {
    table: 'Requests',
    key: /^KEY#/,
    schemas: ['nft/store/holds stateSchema', 'nft/store/holds resultSchema'],
    attributes: notOfUsers(
      'is about a request of an application, or lives seconds under a hash by which nobody can be found',
      'pk sk state bodyHash owner leaseUntil result expiresAt kind address from to',
    ),
  },
];

const toCustomer =
  'is the customer’s record of what it was sent, for 30 days: that the data of an identifier has changed, and when';

const notifications: readonly Kind[] = [
  {
    table: 'Notifications',
    key: /^SUBJECT#/,
    schemas: ['notifications/store/notification-records sentSchema'],
    attributes: notOfUsers(
      toCustomer,
      'pk sk message_id application_id endpoint_id redrive_of replay_of published_at message application_day listed',
      'expires_at',
    ),
  },
  {
    table: 'Notifications',
    key: /^MESSAGE#/,
    schemas: ['notifications/store/notification-records deliverySchema'],
    attributes: notOfUsers(
      'is about the delivery to an endpoint of a customer',
      'pk sk destination is_delivered status_code attempts dwell_ms at reason redriven_at failed_destination expires_at',
    ),
  },
  {
    table: 'Notifications',
    key: /^UNDELIVERED#/,
    schemas: ['notifications/store/undelivered failedSchema', 'notifications/store/undelivered rowSchema'],
    attributes: notOfUsers(
      toCustomer,
      'pk sk message_id published_at is_exact newest message next_at attempt is_given_up undelivered_to copy_id',
      'copy_published_at expires_at',
    ),
  },
  {
    table: 'Notifications',
    key: /^(REPLAYS?|TESTS)#/,
    schemas: ['notifications/store/replays placesSchema', 'notifications/store/replays itemSchema'],
    attributes: notOfUsers(
      'is about a request of a customer',
      'pk sk places expires_at application_id replay_id from to status endpoint_id started_at ended_at next looked',
      'published sent holder until',
    ),
  },
  {
    table: 'Endpoints',
    key: /^/,
    schemas: ['notifications/store/endpoint-items itemSchema'],
    attributes: notOfUsers(
      'is about an endpoint of a customer',
      'application_id endpoint_id destination is_enveloped operation_types created_at removed_at formerly_removed_at',
      'last_success_at accepted_until last_failure_at last_failure_reason failing_since undelivered_since failures',
      'failure_noted_at next_at is_paused attempt probe_id rows_changed_at redelivery next_look_at expires_at',
    ),
  },
];

const proof = 'is what proves that a call comes from the device. Who has it could go on with the stream';

const catalogue = 'is about the catalogue of events';

const ott: readonly Kind[] = [
  {
    table: 'Sessions',
    key: /^VIEWER#/,
    schemas: [
      'ott/store/sessions itemSchema',
      'slots: ott/store/sessions slotSchema',
      'taken_over: ott/store/sessions takenOverSchema',
      'today: ott/store/sessions daySchema',
    ],
    attributes: {
      pk: key,
      user_sub: shown('user_sub'),
      version: orders,
      slots: shown('sessions.playing'),
      'slots.session': shown('sessions.playing.session'),
      'slots.event_id': shown('sessions.playing.event_id'),
      'slots.application_ids': shown('sessions.playing.applications'),
      'slots.began_at': shown('sessions.playing.began_at'),
      'slots.leased_at': shown('sessions.playing.renewed_at'),
      'slots.ends_at': shown('sessions.playing.ends_at'),
      'slots.continuations': proof,
      'slots.former': proof,
      taken_over: shown('sessions.taken_over'),
      'taken_over.session': shown('sessions.taken_over.session'),
      'taken_over.until': shown('sessions.taken_over.refused_until'),
      freed_at: shown('sessions.ended_early_at'),
      moved_at: shown('sessions.moved_at'),
      repeated_at: shown('sessions.repeated_at'),
      today: shown('sessions.today'),
      ...shownAsTheyAre('sessions.', 'today.day today.begun today.ended today.taken_over today.refused'),
      'today.application_ids': shown('sessions.today.applications'),
      'today.addresses': shown('sessions.today.addresses'),
      expires_at: lifetime,
    },
  },
  {
    table: 'Grants',
    key: /^SERVICE#/,
    schemas: ['platform/store/outages itemSchema'],
    attributes: notOfUsers('is about an outside service', 'pk since last_at answered_at expires_at'),
  },
  {
    table: 'Grants',
    key: /^/,
    schemas: ['ott/store/grants itemSchema'],
    attributes: notOfUsers(
      'is what the entitlement service has answered, for minutes, under a hash by which nobody can be found',
      'pk is_grant is_denial asked_at seller expires_at',
    ),
  },
  {
    table: 'Events',
    key: /^VOID#/,
    schemas: ['ott/store/void-tickets itemSchema', 'ott/store/restored-events voidSchema'],
    attributes: notOfUsers('is about tokens, and the history of each tells it', 'pk tokens removals'),
  },
  {
    table: 'Events',
    key: /^/,
    schemas: [
      'ott/store/contract-applications itemSchema',
      'ott/store/edit-counts itemSchema',
      'ott/store/history itemSchema',
      'ott/store/history endSchema',
      'ott/store/recent-paths itemSchema',
      'ott/store/restored-events categorySchema',
      'ott/events/event-record storedSchema',
      'ott/events/event-schema entrySchema',
      'ott/events/event-schema eventShape',
      'notifications/store/event-records imageSchema',
      'notifications/store/event-records recordSchema',
      'notifications/store/event-records identitySchema',
    ],
    attributes: notOfUsers(
      catalogue,
      'pk application editor key_id changes at by version kind fields opens recent incomplete_until event',
      'hand hand.status hand.status.value hand.status.at hand.ends_at hand.schedule hand.available_until present_status',
      'status contract_address event_id title description access starts_at ends_at image categories geoblocking tickets',
      'stream schedule status_in_file status_set_at ends_at_in_file schedule_in_file',
    ),
  },
];

const applications: readonly Kind[] = [
  {
    table: 'Applications',
    key: /^/,
    schemas: [
      'platform/applications/application applicationSchema',
      'platform/store/applications storedSchema',
      'platform/store/applications removedSchema',
      'platform/store/restored-applications pointerSchema',
      'platform/store/restored-applications listsSchema',
      'platform/store/restored-applications applicationSchema',
    ],
    attributes: notOfUsers(
      'is about an application',
      'pk id name apiKeyIds keyEnds clientIds audience kind tier limits limits.contractsPerDay limits.mintsPerDay',
      'signer wallets wallets.origins ott version application_id changes',
    ),
  },
];

export const storedKinds: readonly Kind[] = [
  ...users,
  ...wallets,
  ...nfts,
  ...notifications,
  ...ott,
  ...applications,
];
