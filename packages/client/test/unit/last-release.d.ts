export interface paths {
    "/api/v1/nft/contracts/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contracts, newest first
         * @description Lists the contracts of the application whose API key is sent.
         */
        get: operations["listContracts"];
        put?: never;
        /**
         * Deploy a contract (a collection of tokens)
         * @description The response contains the contract’s address, and tokens can be minted immediately. `is_confirmed` becomes true as soon as the contract is final on the chain.
         */
        post: operations["createContract"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a contract
         * @description `is_confirmed` becomes true as soon as the deployment is final on the chain. It never becomes false again.
         */
        get: operations["getContract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a contract’s metadata
         * @description The contract’s `contractURI` points to this URL (ERC-7572). No API key is needed.
         */
        get: operations["getContractMetadata"];
        /**
         * Replace the metadata of a contract
         * @description The metadata at the `contractURI` changes immediately. A transaction then announces the change (ERC-7572); `metadata_update.is_confirmed` becomes true as soon as the transaction is final. The call counts as one mint towards the daily limit.
         */
        put: operations["updateContractMetadata"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/metadata/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a token’s metadata
         * @description The token’s `tokenURI` points to this URL (ERC-721). No API key is needed.
         */
        get: operations["getTokenMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/metadata/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the metadata of up to 95 tokens in one call
         * @description Replaces the metadata of every token whose id is from `from` to `to` (inclusive), or of none of them. One transaction announces the change (ERC-4906); `metadata_update.is_confirmed` of each token becomes true as soon as the transaction is final. The call counts as one mint towards the daily limit. If all the tokens are reserved, no transaction is needed; a call for reserved and minted tokens is refused. The body may be up to 256 KB.
         */
        put: operations["updateMetadataBatch"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/mint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint a token into a contract
         * @description The contract need not be confirmed yet. The token’s `is_confirmed` becomes true as soon as the token is final on the chain. If `destination` is your `application_user_sub` of a user, the token is reserved for the user, who needs no wallet: it is minted when the user claims it, or when you set its destination to an address.
         */
        post: operations["mintToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/mint/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint up to 95 tokens into a contract in one transaction
         * @description The transaction mints all of the tokens or none of them. Their ids are consecutive, in the order of the request. After the mint, each token can be used like any other token. A token in a full batch costs about two thirds of the gas of a token that is minted alone. The destinations are either all addresses or all users, for whom the tokens are then reserved. The body may be up to 256 KB.
         */
        post: operations["mintBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/royalty": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set or remove the royalty of a contract
         * @description One transaction sets the royalty of every token (ERC-2981); `royalty.is_confirmed` becomes true as soon as the transaction is final. The call counts as one mint towards the daily limit.
         */
        put: operations["setRoyalty"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/tokens/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tokens of a contract, newest first
         * @description The contract must belong to the application whose API key is sent. With a filter, a page may have fewer tokens than `limit`, or none, without being the last. The last page has no `Link` header.
         */
        get: operations["listTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a token
         * @description `is_confirmed` becomes true as soon as the mint is final on the chain. It never becomes false again.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/tokens/{id}/destination": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give a reserved token to another user, or mint it to an address
         * @description Possible as long as the token is reserved. With your `application_user_sub` of another user, the token is reserved for that user from then on; no transaction is needed. With an address, the token is minted to it, as if the user had claimed it; this counts as one mint towards the daily limit, and if the transaction fails, the token is reserved for the user again. If the token goes there already, the call only returns the token.
         */
        put: operations["setTokenDestination"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/tokens/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what happened to a token
         * @description Who had the token while it was reserved, its transactions, and when it was void, oldest first. Users are named by your identifiers for them, if they are still registered. Who got the token on the chain after it was minted is not in the history: ask for its owner. A transaction of the last second may be missing.
         */
        get: operations["getTokenHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/tokens/{id}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the metadata of a token
         * @description The metadata at the token’s `tokenURI` changes immediately. A transaction then announces the change (ERC-4906); `metadata_update.is_confirmed` becomes true as soon as the transaction is final. The call counts as one mint towards the daily limit. A reserved token needs no transaction and has no `metadata_update`, and the call is not counted.
         */
        put: operations["updateTokenMetadata"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/tokens/{id}/owner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current owner of a token
         * @description Reads the owner from the newest block of the chain. Returns 404 until the token is on the chain, also while it is reserved, and after it has been burnt.
         */
        get: operations["getTokenOwner"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/tokens/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a token
         * @description Burns the token for good, whoever holds it. The contract must have been created with `revocable`. `revocation.is_confirmed` becomes true as soon as the transaction is final; from then on a request for the token’s public metadata returns 404. If the token’s revocation is already pending or confirmed, the call only returns the token. The call counts as one mint towards the daily limit. A reserved token needs no transaction: it is `failed` at once, with `failure_reason` `revoked`, and its place in a limited supply is free again. The request has no body.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nft/contracts/{contract_address}/tokens/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make a token void
         * @description A void token gives access to no event, whoever holds it. Use this, for example, after a refund of a ticket. Nothing changes on the chain. The stream of a viewer who watches with this ticket ends within `ticketSeconds`, a setting of the stage. At most 3000 tokens of a contract can be void.
         */
        put: operations["voidToken"];
        post?: never;
        /**
         * Let a void token give access to events again
         * @description The call also returns 204 if the token was not void.
         */
        delete: operations["unvoidToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/ott/catalogue/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the whole catalogue, latest start first
         * @description Hidden events are listed too. A page may have fewer than `limit` events without being the last. An event that was changed within the last seconds may be missing or listed as it was; `GET` of this event returns its present state.
         */
        get: operations["listCatalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/ott/catalogue/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get everything about one event
         * @description Returns the event as it is stored at this moment.
         */
        get: operations["getCatalogueEvent"];
        /**
         * Create or replace an event
         * @description The event is judged as an import of files judges it. A field that is left out is cleared. The call needs `If-None-Match: *` to create an event, or `If-Match` to replace one: without either, it gets 428. If the stored event is another one, it gets 412, and `ETag` is the present entity tag. If a call gets no response, repeat it: 412 then means that the first call, or somebody else, has changed the event, and `GET` shows it. An event that stays as it is is not written. With a `schedule`, the `status` that is sent is the one before the first entry: the status of the event is that of its last entry that is due. To set another one, use the call for the status. If very many streams of one host were moved within the last minute, the call gets 503; `Retry-After` says when the same call succeeds.
         */
        put: operations["putCatalogueEvent"];
        post?: never;
        /**
         * Delete an event for good
         * @description A LIVE event is not deleted: set another status first.
         */
        delete: operations["deleteCatalogueEvent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/ott/catalogue/{event_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the status of an event by hand
         * @description With a schedule, the status lasts until the next entry is due; no entry ends `CANCELLED`. A later import keeps it until the event’s status in the file changes.
         */
        put: operations["setCatalogueStatus"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/ott/events/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events, latest start first
         * @description An event that is hidden from the viewer, from the client or in the country of the request is treated as if it did not exist. A page may have fewer than `limit` events without being the last.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/ott/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the basic information of one event
         * @description An event that is hidden from the viewer, from the client or in the country of the request is treated as if it did not exist. If the country of the request cannot be looked up at the moment, and it decides whether the event is hidden, the response is 503.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/ott/events/{event_id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what is needed to play an event
         * @description An event that is hidden from the viewer, from the client or in the country of the request is treated as if it did not exist. A paid stream requires a login, and a purchase or a ticket. While the entitlement service is unavailable, the call returns 503. A stream can be played while the event is LIVE or VOD and within the stream’s window of time; neither restriction applies to a VIP. Where a viewer’s paid streams are limited, the call begins, renews or moves the viewer’s session. If the country of the request cannot be looked up at the moment, and it decides whether the event is hidden, the response is 503.
         */
        get: operations["getStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/ott/events/{event_id}/stream/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a session early
         * @description Call this when the user leaves the page, so that another device can play immediately. Use `fetch` with `keepalive`, because `navigator.sendBeacon` cannot send the access token. The response is the same if the session has already ended. In any ten minutes, a viewer can end at most three sessions early.
         */
        post: operations["endStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notifications that were sent to this application
         * @description Newest first. Notifications are kept for 30 days. The outcome of a delivery appears some seconds after the delivery has ended. With a filter, a page may have fewer notifications than `limit` without being the last.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List this application's endpoints
         * @description Returns all endpoints in one response.
         */
        get: operations["listNotificationEndpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send notifications again
         * @description For each user, contract, token, royalty, metadata, revocation, claim and event, sends the newest notification of the time range again. Tests are not sent again. At most 20 messages are sent a second. Replays of one application run one after the other.
         */
        post: operations["startReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/replay/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of a replay
         * @description Replays are kept for 30 days.
         */
        get: operations["getReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test notification to your endpoints
         * @description Sends one message with the `operation_type` `test`. The user identifier in this message belongs to no user, so reading the user’s data returns 404. The message appears in the list of notifications. An application can send ten tests a minute.
         */
        post: operations["sendTestNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description The document contains the addresses of this stage. No API key is needed.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user-data/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the data of a user
         * @description If you call this after a notification, the data contains the notified change or a later one.
         */
        post: operations["readUserData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user-data/read/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the data of several users
         * @description At most 100 users; the batch counts as one call. The entry of a user is the same as the response of a single read. If you call this after a notification, the data contains the change that it announced, and possibly later ones.
         */
        post: operations["readUserDataBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the data of the user of the access token
         * @description Returns everything that is stored for the user.
         */
        get: operations["getUserData"];
        /**
         * Register the user of the access token, or change the user’s data
         * @description Keys of `user_data` are merged into the stored data. A value replaces the key’s previous value as a whole; null removes the key. `user_agreements`, if given, replace all earlier agreements. At most 32 KB are stored for a user. Every application with the user in its audience is notified, unless nothing changed. A stage may have read-only keys that only its operator writes. A change that names such a key is refused as a whole with 403 `FIELD_NOT_WRITABLE`. `__proto__`, `constructor` and `prototype` are refused as keys at any depth. A user can change their data only a certain number of times in an hour, 60 if the stage sets nothing else. A change beyond it is refused with 429 `TOO_MANY_CHANGES` and changes nothing; `Retry-After` says when the next one is allowed. With `If-Match` the data is changed only if its current entity tag is one of the given tags. With `If-None-Match: *` the call only registers a new user.
         */
        put: operations["putUserData"];
        post?: never;
        /**
         * Erase the user of the access token
         * @description Deletes the user’s data, agreements and identifiers at once, and the user’s wallets within seconds. `GET /user/erasure` shows what stays. Applications that know the user are notified, and their next read gets a 404. A repeated call also gets a 204, also of a user who is not registered. A user who registers again has new identifiers. The user must have logged in during the last 10 minutes (`auth_time` of the access token). Otherwise the call gets a 401 `INSUFFICIENT_USER_AUTHENTICATION`, whose `WWW-Authenticate` names `max_age` (RFC 9470). A user can do this at most 2 times in a day. Only for clients that the operator has allowed to make calls about a user’s whole account; others get a 403 `CLIENT_NOT_ALLOWED`.
         */
        delete: operations["eraseUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what an erasure of the user of the access token would delete
         * @description Changes nothing. Only for clients that the operator has allowed to make calls about a user’s whole account; others get a 403 `CLIENT_NOT_ALLOWED`.
         */
        get: operations["previewErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get all that is stored of the user of the access token
         * @description The first page has everything but the tokens, and the first tokens. Each further page has only tokens. A page may have few tokens, or none, without being the last. The last page has no `Link` header. Other users are null. A token that the user has given away shows only the user’s own part of its history. What changes between two pages may be missing, or be shown as it was before. Only for clients that the operator has allowed to make calls about a user’s whole account; others get a 403 `CLIENT_NOT_ALLOWED`.
         */
        get: operations["exportUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/reporter/application-user-sub": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the application’s identifier for the user of the access token
         * @description The application is the owner of the client that the token was issued to.
         */
        get: operations["getApplicationUserSub"];
        put?: never;
        /**
         * Get the application’s identifier for the user of the access token
         * @description The application is the owner of the client that the token was issued to.
         */
        post: operations["postApplicationUserSub"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tokens that are reserved for the user of the access token, or that the user has claimed
         * @description Lists only tokens of the application that the access token’s client belongs to. The highest ids come first. A token that was reserved a moment ago may be missing. A page may have fewer tokens than `limit`, or none, without being the last. The last page has no `Link` header.
         */
        get: operations["listUserTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/tokens/{contract_address}/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what happened to a token while it was the user’s
         * @description The part of the token’s history from when it came to the user of the access token until it left the user, oldest first. No other user is named: `from` and `to` are null instead. The token must be one of the application that the access token’s client belongs to.
         */
        get: operations["getOwnTokenHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/tokens/{contract_address}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a reserved token: mint it to a wallet of the user of the access token
         * @description The wallet must be linked for some time, which the stage sets (`nft.claimAfterSeconds`, a day by default). The response does not wait for the chain: `is_confirmed` becomes true as soon as the token is final. If the transaction fails, the token is reserved for the user again and can be claimed again. A repeated call with the same wallet returns the token. From then on the application that issued the token sees the wallet’s address as the token’s destination.
         */
        post: operations["claimToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the wallets of the user of the access token
         * @description Lists the wallets in the order in which they were linked. No other call reveals a user’s wallets.
         */
        get: operations["listWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/wallets/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Link a wallet to the user of the access token
         * @description Requires the wallet’s signature over a challenge. A repeated call returns 200 and changes nothing. A wallet is linked to only one user. If it is linked to another user, the call moves it to this user. After this move, the wallet’s tokens give access to no event until all streams that were signed for the other user have ended: ten seconds longer than `ticketSeconds`, a setting of the stage. A user can link at most five wallets. After three wrong signatures, a challenge can no longer be used.
         */
        put: operations["linkWallet"];
        post?: never;
        /**
         * Unlink a wallet from the user of the access token
         * @description Afterwards the wallet’s tokens no longer give the user access to events. The call also returns 204 if the wallet was not linked.
         */
        delete: operations["unlinkWallet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/wallets/challenges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a message to link a wallet to the user of the access token
         * @description The wallet must sign the message within ten minutes. Send the signature to `PUT /user/wallets/{address}`. The message names the page, the account and the chain. A user can get at most ten messages an hour.
         */
        post: operations["createWalletChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vendor/user-subs/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the application’s identifiers for several users
         * @description At most 100 users in one call.
         */
        post: operations["exchangeUserSubs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    chainNotification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A contract or a token was confirmed, or failed, on the chain
         * @description Sent to endpoints that subscribed to `contract_update` or `token_update`: one message for each contract, each token, each revocation, and each change of a royalty or of metadata. A message may arrive more than once, each time with the same content.
         */
        post: operations["onChainNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    envelopedNotification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A notification in a signed envelope
         * @description Sent to endpoints with an enveloped subscription. Verify the signature before you use the message.
         */
        post: operations["onEnvelopedNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    eventNotification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An event of the catalogue has changed
         * @description Sent to endpoints that subscribed to `event_update`, if the rules of your application show the event, or have shown it before. The message is not signed in this form: read the event before you rely on it. A message may arrive more than once, and messages arrive in any order: of several about one event, the one with the latest `date_time` counts.
         */
        post: operations["onEventNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    notification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user has registered, or the data of a user has changed
         * @description This is the standard form, the bare message without a signature. Respond fast, and read the user’s data afterwards. Read the data even if `date_time` is not newer than in earlier messages, because a message may arrive more than once, and messages arrive in any order.
         */
        post: operations["onNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    subscriptionConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An endpoint has been subscribed
         * @description Check that `SubscribeURL` is on the host of SNS and that `TopicArn` is yours, then request the URL once with GET.
         */
        post: operations["onSubscriptionConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    unsubscribeConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A subscription has ended
         * @description Somebody has requested the `UnsubscribeURL`, which is in each enveloped message. If that was not you, request `SubscribeURL` within two days to restore the subscription, or ask the operator.
         */
        post: operations["onUnsubscribeConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description All data of a user, with the application’s identifier for the user.
         * @example {
         *       "application_user_sub": "9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7",
         *       "user_data": {
         *         "email": "ana@example.com",
         *         "is_club": "yes",
         *         "club_id": "7"
         *       },
         *       "user_agreements": []
         *     }
         */
        ApplicationUser: {
            /** @description This application’s identifier for the user. Each application has a different identifier for the same user */
            application_user_sub: string;
            user_agreements: unknown[];
            user_data: {
                [key: string]: unknown;
            };
        };
        /**
         * @description One user of a batch: all data, or the reason why it is missing.
         * @example {
         *       "application_user_sub": "9f0c2b4e6a514c1e8f0a3f3de1d6a2c7",
         *       "user_data": {
         *         "email": "ana@example.com",
         *         "is_club": "yes",
         *         "club_id": "7"
         *       },
         *       "user_agreements": []
         *     }
         * @example {
         *       "application_user_sub": "00000000000000000000000000000000",
         *       "error_fields": "USER_NOT_FOUND"
         *     }
         */
        ApplicationUserEntry: components["schemas"]["ApplicationUser"] | components["schemas"]["UnreadApplicationUser"];
        /**
         * @description One application’s identifier for a user.
         * @example {
         *       "application_user_sub": "9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7"
         *     }
         */
        ApplicationUserSub: {
            /** @description This application’s identifier for the user. Each application has a different identifier for the same user */
            application_user_sub: string;
        };
        /**
         * @description One application’s identifiers for users.
         * @example {
         *       "application_user_subs": [
         *         "9f0c2b4e6a514c1e8f0a3f3de1d6a2c7",
         *         "00000000000000000000000000000000"
         *       ]
         *     }
         */
        ApplicationUserSubs: {
            /** @description This application’s identifiers for the users */
            application_user_subs: string[];
        };
        /**
         * @description A trait of a token.
         * @example {
         *       "trait_type": "seat",
         *       "value": "7",
         *       "display_type": null
         *     }
         */
        Attribute: {
            display_type: string | null;
            trait_type: string | null;
            /** @description A number that was sent is a decimal string */
            value: string | null;
        };
        /**
         * @description A trait of a token.
         * @example {
         *       "trait_type": "seat",
         *       "value": "7"
         *     }
         */
        AttributeRequest: {
            /** @default null */
            display_type?: string | null;
            /** @default null */
            trait_type?: string | null;
            /**
             * @description A number must be one that a double holds exactly. Responses have it as a decimal string, and the document at `tokenURI` as a number
             * @default null
             */
            value?: string | number | null;
        };
        /**
         * @description The request is not as documented; `errors` names each wrong field.
         * @example {
         *       "status": 400,
         *       "message": "BAD_REQUEST",
         *       "errors": [
         *         {
         *           "path": "metadata.name",
         *           "message": "Must not be empty"
         *         }
         *       ]
         *     }
         */
        BadRequest: {
            errors: components["schemas"]["FieldIssue"][];
            message: string;
            /** @description The id of the request: the operator finds the cause of the error with it */
            request_id?: string;
            status: number;
        };
        /**
         * @description Everything about an event, as import files have it.
         * @example {
         *       "event_id": "training-session",
         *       "title": "Open training session",
         *       "description": "The team trains; the cameras are on.",
         *       "status": "LIVE",
         *       "access": "free",
         *       "starts_at": "2026-05-29T09:00:00.000Z",
         *       "ends_at": null,
         *       "image": null,
         *       "categories": [
         *         "football",
         *         "behind-the-scenes"
         *       ],
         *       "stream": {
         *         "type": "hls",
         *         "url": "https://streams.example.com/training-session/index.m3u8"
         *       }
         *     }
         */
        CatalogueEvent: {
            /** @enum {string} */
            access: "free" | "paid";
            categories: string[];
            description: string | null;
            ends_at: string | null;
            /**
             * Format: date-time
             * @description Set while the event keeps an end that was set by hand: what the import file had then
             */
            ends_at_in_file?: string;
            event_id: string;
            /** @description The event’s own rule */
            geoblocking?: components["schemas"]["Geoblocking"];
            image: string | null;
            /** @description The statuses that the event takes by itself */
            schedule?: components["schemas"]["ScheduleEntry"][];
            /** @description Set while the event keeps a schedule that was set by hand: what the import file had then */
            schedule_in_file?: components["schemas"]["ScheduleEntry"][];
            /**
             * Format: date-time
             * @description UTC
             */
            starts_at: string;
            /** @enum {string} */
            status: "UPCOMING" | "LIVE" | "FINISHED" | "VOD" | "CANCELLED";
            /** @description Set while the status is not that of the import file, but set by hand or by the schedule: the status of the file */
            status_in_file?: components["schemas"]["EventStatusValue"];
            /**
             * Format: date-time
             * @description When the status was set by hand. Entries of `schedule` up to then do not count
             */
            status_set_at?: string;
            stream?: components["schemas"]["CatalogueStream"];
            tickets?: components["schemas"]["Ticket"][];
            title: string;
        };
        /**
         * @description Everything about an event. It replaces the stored event as a whole: a field that is left out is cleared.
         * @example {
         *       "event_id": "training-session",
         *       "title": "Open training session",
         *       "status": "UPCOMING",
         *       "access": "free",
         *       "starts_at": "2026-05-29T11:00:00+02:00",
         *       "categories": [
         *         "football",
         *         "behind-the-scenes"
         *       ],
         *       "stream": {
         *         "type": "hls",
         *         "url": "https://streams.example.com/training-session/index.m3u8"
         *       }
         *     }
         */
        CatalogueEventRequest: {
            /** @enum {string} */
            access: "free" | "paid";
            categories?: string[] | null;
            /** @default null */
            description?: string | null;
            ends_at?: string | null;
            ends_at_in_file?: string | null;
            event_id: string;
            geoblocking?: components["schemas"]["GeoblockingRequest"] | null;
            /** @default null */
            image?: string | null;
            schedule?: components["schemas"]["ScheduleEntryRequest"][] | null;
            schedule_in_file?: components["schemas"]["ScheduleEntryRequest"][] | null;
            /** Format: date-time */
            starts_at: string;
            /** @enum {string} */
            status: "UPCOMING" | "LIVE" | "FINISHED" | "VOD" | "CANCELLED";
            status_in_file?: components["schemas"]["EventStatusValue"] | null;
            status_set_at?: string | null;
            stream?: components["schemas"]["CatalogueStreamRequest"] | null;
            tickets?: components["schemas"]["TicketRequest"][] | null;
            title: string;
        };
        /**
         * @description The stream of an event, as the catalogue has it.
         * @example {
         *       "type": "hls",
         *       "url": "https://streams.example.com/training-session/index.m3u8"
         *     }
         */
        CatalogueStream: {
            /** Format: date-time */
            available_from?: string;
            /** Format: date-time */
            available_until?: string;
            /**
             * Format: date-time
             * @description Set while the event keeps an end that was set by hand: what the import file had then
             */
            available_until_in_file?: string;
            /** @description The stream’s own rule */
            geoblocking?: components["schemas"]["Geoblocking"];
            signed_path?: string;
            /** @enum {string} */
            type: "hls" | "dash" | "file";
            url: string;
        };
        /**
         * @description The stream of an event.
         * @example {
         *       "type": "hls",
         *       "url": "https://streams.example.com/training-session/index.m3u8"
         *     }
         */
        CatalogueStreamRequest: {
            available_from?: string | null;
            available_until?: string | null;
            available_until_in_file?: string | null;
            geoblocking?: components["schemas"]["GeoblockingRequest"] | null;
            signed_path?: string | null;
            /** @enum {string} */
            type: "hls" | "dash" | "file";
            /** Format: uri */
            url: string;
        };
        /**
         * @description The final outcome of a contract’s deployment or a token’s mint or, if `part` is set, of a change of this part.
         * @example {
         *       "operation_type": "token_update",
         *       "contract_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
         *       "id": "1",
         *       "status": "confirmed",
         *       "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
         *       "date_time": "2026-11-20T09:15:08.123000"
         *     }
         */
        ChainNotification: {
            /** @description EIP-55 form */
            contract_address: string;
            /** @description The time when the outcome became known, in UTC, with microseconds and without a time zone */
            date_time: string;
            /** @description Set only if `status` is `failed` */
            failure_reason?: string;
            /** @description The id of the token. Set only for `token_update` */
            id?: string;
            /** @enum {string} */
            operation_type: "contract_update" | "token_update";
            /**
             * @description Set if the message is about only this part of the contract or token. `royalty` occurs only with `contract_update`, `revocation` only with `token_update`
             * @enum {string}
             */
            part?: "royalty" | "metadata" | "revocation" | "claim";
            /**
             * @description The final status, which never changes again
             * @enum {string}
             */
            status: "confirmed" | "failed";
            transaction_hash: string;
        };
        /**
         * @description A reserved token, and the wallet to which it is minted.
         * @example {
         *       "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *       "id": "7"
         *     }
         */
        ClaimRequest: {
            /** @description One of the user’s linked wallets */
            address: string;
            /** @description The id of the token */
            id: string;
        };
        /**
         * @description A collection of tokens, which is one contract on the chain.
         * @example {
         *       "address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
         *       "name": "Season 2027",
         *       "symbol": "S27",
         *       "description": "All tickets of the season",
         *       "chain": "MATIC",
         *       "image": "https://images.example.com/s27.png",
         *       "media": [
         *         {
         *           "type": "image",
         *           "value": "https://images.example.com/s27-wide.png"
         *         }
         *       ],
         *       "royalty": null,
         *       "is_confirmed": false,
         *       "transaction_hash": "0x2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f",
         *       "status": "pending",
         *       "created_at": "2026-11-20T09:15:02.123Z"
         *     }
         */
        Contract: {
            /** @description EIP-55 form */
            address: string;
            /** @constant */
            chain: "MATIC";
            /** Format: date-time */
            created_at: string;
            description: string | null;
            /** @description Set only if `status` is `failed` */
            failure_reason?: string;
            image: string | null;
            /** @description Whether the contract is final on the chain */
            is_confirmed: boolean;
            /** @description As requested when the contract was created; absent means no limit */
            max_supply?: number;
            media: components["schemas"]["MediaItem"][];
            /** @description Set only if the metadata was changed after the mint or deployment */
            metadata_update?: components["schemas"]["MetadataUpdate"];
            name: string;
            /** @description As requested when the contract was created; absent means false */
            revocable?: boolean;
            /** @description Null if no royalty was ever set */
            royalty: components["schemas"]["Royalty"] | null;
            /** @enum {string} */
            status: "pending" | "confirmed" | "failed";
            symbol: string;
            transaction_hash: string;
            /** @description As requested when the contract was created; absent means true */
            transferable?: boolean;
        };
        /**
         * @description Metadata of a contract (ERC-7572). Fields without a value are left out.
         * @example {
         *       "name": "Season 2027",
         *       "symbol": "S27",
         *       "description": "All tickets of the season",
         *       "image": "https://images.example.com/s27.png"
         *     }
         */
        ContractMetadata: {
            name: string;
            symbol: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description New metadata of a contract. Fields that are left out become empty.
         * @example {
         *       "description": "All tickets of the season",
         *       "image": "https://images.example.com/s28.png"
         *     }
         */
        ContractMetadataRequest: {
            /** @default null */
            description?: string | null;
            /** @default null */
            image?: string | null;
            /** @default [] */
            media?: components["schemas"]["MediaItemRequest"][];
        };
        /**
         * @description A contract to create.
         * @example {
         *       "name": "Season 2027",
         *       "symbol": "S27",
         *       "chain": "MATIC",
         *       "description": "All tickets of the season",
         *       "image": "https://images.example.com/s27.png",
         *       "media": [
         *         {
         *           "type": "image",
         *           "value": "https://images.example.com/s27-wide.png"
         *         }
         *       ]
         *     }
         */
        ContractRequest: {
            /** @constant */
            chain: "MATIC";
            /** @default null */
            description?: string | null;
            /** @default null */
            image?: string | null;
            /** @description How many tokens can ever be minted. Cannot be changed later. No limit if left out */
            max_supply?: number;
            /** @default [] */
            media?: components["schemas"]["MediaItemRequest"][];
            name: string;
            /** @description Whether you can burn tokens, whoever holds them. Cannot be changed later. False if left out */
            revocable?: boolean;
            royalty?: components["schemas"]["RoyaltyRequest"] | null;
            symbol: string;
            /** @description Whether holders can transfer tokens (ERC-5192). Cannot be changed later. True if left out */
            transferable?: boolean;
        };
        /**
         * @description How the delivery of a notification to one endpoint ended.
         * @example {
         *       "endpoint_id": "5f1d0c9ae27b4830",
         *       "endpoint": "https://club.example.com/notify",
         *       "status": "delivered",
         *       "status_code": 200,
         *       "response": "OK",
         *       "attempts": 1,
         *       "dwell_time_ms": 64,
         *       "at": "2026-11-20T09:15:02.456Z",
         *       "redriven_at": null
         *     }
         */
        Delivery: {
            /** @description When the delivery ended */
            at: string;
            /** @description How many times SNS tried to deliver the notification until the delivery ended */
            attempts: number;
            /** @description Milliseconds from the publication to the last attempt; null for an old delivery, for which it was not recorded */
            dwell_time_ms: number | null;
            /** @description The address of the endpoint, or the ARN of the queue */
            endpoint: string;
            /** @description Null for an endpoint that was removed more than 30 days ago */
            endpoint_id: string | null;
            /** @description When the notification was sent to this endpoint again, after this delivery had failed. This second notification is a separate entry in the list of notifications */
            redriven_at: string | null;
            /** @description The first 1,000 bytes of what SNS logs about the response: the reason phrase of the status, or why there was no response. Null if SNS logs nothing */
            response: string | null;
            /** @enum {string} */
            status: "delivered" | "failed";
            /** @description The endpoint’s last status code; null if it did not respond */
            status_code: number | null;
        };
        /**
         * @description Where a reserved token goes.
         * @example {
         *       "destination": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
         *     }
         */
        DestinationRequest: {
            /** @description An address, or your `application_user_sub` of a user, for whom the token is then reserved */
            destination: string;
        };
        /**
         * @description Blocks no country, whatever rule the application has.
         * @example {
         *       "enabled": false
         *     }
         */
        DisabledGeoblockingRequest: {
            countries?: string[];
            enabled: boolean;
            /** @enum {string} */
            mode?: "block" | "allow";
            statuses?: components["schemas"]["EventStatusValue"][];
        };
        /**
         * @description Blocks the countries (`block`), or all others (`allow`), in these statuses, or else in all.
         * @example {
         *       "enabled": true,
         *       "mode": "block",
         *       "countries": [
         *         "US"
         *       ],
         *       "statuses": [
         *         "LIVE"
         *       ]
         *     }
         */
        EnabledGeoblockingRequest: {
            countries: string[];
            enabled: boolean;
            /** @enum {string} */
            mode: "block" | "allow";
            statuses?: components["schemas"]["EventStatusValue"][];
        };
        /**
         * @description The session to end.
         * @example {
         *       "session": "3f0c6c1e-52a0-4d4c-9d52-0a2f5a3f1e11"
         *     }
         */
        EndedStream: {
            /** Format: uuid */
            session: string;
        };
        /**
         * @description When a delivery to an endpoint failed last, and why.
         * @example {
         *       "at": "2026-11-20T09:15:02.456Z",
         *       "reason": "HTTP 503 Service Unavailable"
         *     }
         */
        EndpointFailure: {
            at: string;
            reason: string;
        };
        /**
         * @description A notification in the signed envelope of SNS.
         * @example {
         *       "Type": "Notification",
         *       "Message": "{\"operation_type\":\"data_update\",\"application_user_sub\":\"9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7\",\"date_time\":\"2026-11-20T09:15:02.123456\"}",
         *       "MessageId": "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
         *       "TopicArn": "arn:aws:sns:eu-central-1:123456789012:marquee-changes",
         *       "Timestamp": "2026-11-20T09:15:02.130Z",
         *       "SignatureVersion": "2",
         *       "Signature": "EXAMPLEpH+DcEwjAPg8O9mY8dReBSwksfg2S7WKQcikcNKWLQjwu6A4VbeS0QHVCkhRS7fUQvi2egU3N858fiTDN6bkk",
         *       "SigningCertURL": "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-7506a1e35b36ef5a444dd1a8e7cc3ed8.pem"
         *     }
         */
        EnvelopedNotification: {
            /** @description A `Notification`, `ChainNotification` or `EventNotification` as JSON text */
            Message: string;
            MessageId: string;
            Signature: string;
            SignatureVersion: string;
            SigningCertURL: string;
            /** Format: date-time */
            Timestamp: string;
            TopicArn: string;
            /** @constant */
            Type: "Notification";
        };
        /**
         * @description What an erasure means for an application.
         * @example {
         *       "name": "Arena",
         *       "is_notified": true,
         *       "reserved_tokens": 2,
         *       "claimed_tokens": 1
         *     }
         */
        ErasureApplication: {
            /** @description How many claimed tokens stay in the wallets that have them. At most 1,000 are counted */
            claimed_tokens: number;
            /** @description Whether the application hears of the erasure */
            is_notified: boolean;
            name: string;
            /** @description How many reserved tokens the application can give to others. At most 1,000 are counted */
            reserved_tokens: number;
        };
        /**
         * @description What an erasure of the user would delete, and what would stay.
         * @example {
         *       "registered_at": "2026-05-04T08:30:00.000Z",
         *       "user_data": [
         *         "email"
         *       ],
         *       "user_agreements": 1,
         *       "wallets": 1,
         *       "applications": [
         *         {
         *           "name": "Arena",
         *           "is_notified": true,
         *           "reserved_tokens": 2,
         *           "claimed_tokens": 1
         *         }
         *       ],
         *       "stays": [
         *         {
         *           "what": "removal",
         *           "days": 32
         *         },
         *         {
         *           "what": "tokens_on_chain",
         *           "days": null
         *         }
         *       ]
         *     }
         */
        ErasurePreview: {
            /** @description The applications that know the user, or would be notified */
            applications: components["schemas"]["ErasureApplication"][];
            /**
             * Format: date-time
             * @description When the user registered
             */
            registered_at: string;
            /** @description What the erasure does not delete */
            stays: components["schemas"]["ErasureRemainder"][];
            /** @description How many agreements go */
            user_agreements: number;
            /** @description The keys of the data that goes */
            user_data: string[];
            /** @description How many linked wallets are unlinked */
            wallets: number;
        };
        /**
         * @description Something that an erasure does not delete.
         * @example {
         *       "what": "removal",
         *       "days": 32
         *     }
         */
        ErasureRemainder: {
            /** @description For at most so many days. Null: the service does not delete it */
            days: number | null;
            /**
             * @description The guide says what it is. There may be others later
             * @enum {string}
             */
            what: "removal" | "application_user_subs" | "wallet_challenges" | "notifications" | "sessions" | "logs" | "backups" | "reserved_tokens" | "tokens_on_chain" | "copies_of_applications";
        };
        /**
         * @description The error response of the service, or of the gateway in front of it.
         * @example {
         *       "status": 404,
         *       "message": "CONTRACT_NOT_FOUND"
         *     }
         */
        Error: {
            /**
             * Format: date-time
             * @description With `WALLET_TOO_NEW`: when the wallet can be used for a claim
             */
            available_at?: string;
            /**
             * Format: date-time
             * @description With `STREAM_NOT_AVAILABLE`: when the stream becomes available, if that is in the future
             */
            available_from?: string;
            /** @description With `SUPPLY_EXHAUSTED`: how many tokens can still be minted */
            left?: number;
            /** @description With `LIMIT_TOO_SMALL`: the daily limit */
            limit?: number;
            /** @description A stable code, such as `CONTRACT_NOT_FOUND`. New codes may be added */
            message: string;
            /** @description The id of the request: the operator finds the cause of the error with it. Absent in errors of the gateway and, except with status 500, in the business-to-business calls about users. Their header `x-amzn-requestid` has the same id */
            request_id?: string;
            /** @description With `TOO_MANY_STREAMS`: the viewer’s current sessions */
            sessions?: components["schemas"]["ViewerSession"][];
            /** @description The HTTP status of the response. Absent if `message` is `Forbidden` */
            status?: number;
        };
        /**
         * @description The basic information of an event.
         * @example {
         *       "event_id": "training-session",
         *       "title": "Open training session",
         *       "description": "The team trains; the cameras are on.",
         *       "status": "LIVE",
         *       "access": "free",
         *       "starts_at": "2026-05-29T09:00:00.000Z",
         *       "ends_at": null,
         *       "image": null,
         *       "categories": [
         *         "football",
         *         "behind-the-scenes"
         *       ]
         *     }
         */
        Event: {
            /** @enum {string} */
            access: "free" | "paid";
            /** @description While the event is LIVE, it cannot be played in the country of this request, and may be hidden there. Tell viewers before they buy. Only for UPCOMING and LIVE events; absent if nothing blocks the country */
            blocked_when_live?: boolean;
            categories: string[];
            description: string | null;
            ends_at: string | null;
            event_id: string;
            image: string | null;
            /**
             * Format: date-time
             * @description UTC
             */
            starts_at: string;
            /**
             * @description At the moment of the response. An event can change its status by itself at a planned time
             * @enum {string}
             */
            status: "UPCOMING" | "LIVE" | "FINISHED" | "VOD" | "CANCELLED";
            /** @description The collections whose tokens are tickets: a viewer who holds any such token may play the stream. Absent if there are none */
            tickets?: components["schemas"]["Ticket"][];
            title: string;
        };
        /**
         * @description An event of the catalogue has changed, as the rules of your application show it. Countries do not matter here.
         * @example {
         *       "operation_type": "event_update",
         *       "change": "status",
         *       "event_id": "cup-final",
         *       "status": "LIVE",
         *       "date_time": "2026-11-20T20:00:04.000007"
         *     }
         */
        EventNotification: {
            /**
             * @description `created`: you see the event, and did not before. `status`: its status has changed, and perhaps more. `changed`: anything else has changed. `removed`: you do not see it any more. `many`: many events have changed at once, so read the list again
             * @enum {string}
             */
            change: "created" | "changed" | "status" | "removed" | "many";
            /** @description When the event changed, in UTC and without a time zone, to the second. The fraction only orders the changes of an event within a second */
            date_time: string;
            /** @description Absent only if `change` is `many` */
            event_id?: string;
            /** @enum {string} */
            operation_type: "event_update";
            /**
             * @description The status after the change. Absent if `change` is `removed` or `many`
             * @enum {string}
             */
            status?: "UPCOMING" | "LIVE" | "FINISHED" | "VOD" | "CANCELLED";
        };
        /**
         * @description The status that an event gets.
         * @example {
         *       "status": "CANCELLED"
         *     }
         */
        EventStatusRequest: {
            /** @enum {string} */
            status: "UPCOMING" | "LIVE" | "FINISHED" | "VOD" | "CANCELLED";
        };
        /**
         * @description A status of an event.
         * @example LIVE
         * @enum {string}
         */
        EventStatusValue: "UPCOMING" | "LIVE" | "FINISHED" | "VOD" | "CANCELLED";
        /**
         * @description The application’s identifier for a user; null if the user is unknown or not in the application’s audience.
         * @example {
         *       "user_sub": "ana",
         *       "application_user_sub": "9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7"
         *     }
         */
        ExchangedUserSub: {
            application_user_sub: string | null;
            user_sub: string;
        };
        /**
         * @description One entry for each requested user, in the order of the request.
         * @example {
         *       "user_subs": [
         *         {
         *           "user_sub": "ana",
         *           "application_user_sub": "9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7"
         *         },
         *         {
         *           "user_sub": "nobody",
         *           "application_user_sub": null
         *         }
         *       ]
         *     }
         */
        ExchangedUserSubs: {
            user_subs: components["schemas"]["ExchangedUserSub"][];
        };
        /**
         * @description An application that has an identifier for the user.
         * @example {
         *       "name": "The football club",
         *       "application_user_sub": "b0c1d2e3f405162738495a6b7c8d9e0f",
         *       "is_linked": true
         *     }
         */
        ExportedApplication: {
            /** @description This application’s identifier for the user. Each application has a different identifier for the same user */
            application_user_sub: string;
            /** @description Whether the user has used the application */
            is_linked: boolean;
            /** @description Null if the application was removed */
            name: string | null;
        };
        /**
         * @description What a limit counts of the user.
         * @example {
         *       "what": "changes",
         *       "since": "2026-11-20T09:15:02.123Z",
         *       "count": 1
         *     }
         */
        ExportedCount: {
            count: number;
            /** Format: date-time */
            since: string;
            /** @enum {string} */
            what: "changes" | "erasures" | "wallet_challenges";
        };
        /**
         * @description How many sessions the user had on a day.
         * @example {
         *       "day": "2026-11-20",
         *       "applications": [
         *         "The football club"
         *       ],
         *       "begun": 1,
         *       "ended": 0,
         *       "taken_over": 0,
         *       "refused": 0,
         *       "addresses": 1
         *     }
         */
        ExportedDay: {
            /** @description How many addresses were seen. Only a hash of each is stored */
            addresses: number;
            /** @description Those that counted streams */
            applications: (string | null)[];
            begun: number;
            /**
             * Format: date
             * @description UTC. An earlier one, if there was no session since
             */
            day: string;
            ended: number;
            refused: number;
            taken_over: number;
        };
        /**
         * @description A stream that the user plays.
         * @example {
         *       "session": "6f1e0c9d-2b3a-4867-9c0e-1d2f3a4b5c6d",
         *       "event_id": "cup-final",
         *       "applications": [
         *         "The football club"
         *       ],
         *       "began_at": "2026-11-20T19:58:04.000Z",
         *       "renewed_at": "2026-11-20T20:03:04.000Z",
         *       "ends_at": "2026-11-20T20:08:04.000Z"
         *     }
         */
        ExportedSession: {
            /** @description Those that count the stream */
            applications: (string | null)[];
            /** Format: date-time */
            began_at: string;
            /** Format: date-time */
            ends_at: string;
            event_id: string;
            /** Format: date-time */
            renewed_at: string;
            session: string;
        };
        /**
         * @description The streams that the user plays, and what is counted of sessions. Only applications that limit how many streams a viewer plays count sessions.
         * @example {
         *       "playing": [
         *         {
         *           "session": "6f1e0c9d-2b3a-4867-9c0e-1d2f3a4b5c6d",
         *           "event_id": "cup-final",
         *           "applications": [
         *             "The football club"
         *           ],
         *           "began_at": "2026-11-20T19:58:04.000Z",
         *           "renewed_at": "2026-11-20T20:03:04.000Z",
         *           "ends_at": "2026-11-20T20:08:04.000Z"
         *         }
         *       ],
         *       "taken_over": [
         *         {
         *           "session": "0c9d2b3a-4867-4c0e-9d2f-3a4b5c6d6f1e",
         *           "refused_until": "2026-11-20T20:58:04.000Z"
         *         }
         *       ],
         *       "ended_early_at": [],
         *       "moved_at": [],
         *       "repeated_at": [],
         *       "today": {
         *         "day": "2026-11-20",
         *         "applications": [
         *           "The football club"
         *         ],
         *         "begun": 1,
         *         "ended": 0,
         *         "taken_over": 0,
         *         "refused": 0,
         *         "addresses": 1
         *       }
         *     }
         */
        ExportedSessions: {
            ended_early_at: string[];
            /** @description When sessions went on to another event */
            moved_at: string[];
            playing: components["schemas"]["ExportedSession"][];
            /** @description When the first call of a session was repeated */
            repeated_at: string[];
            taken_over: components["schemas"]["ExportedTakeover"][];
            today: components["schemas"]["ExportedDay"];
        };
        /**
         * @description A session that another one has ended.
         * @example {
         *       "session": "0c9d2b3a-4867-4c0e-9d2f-3a4b5c6d6f1e",
         *       "refused_until": "2026-11-20T20:58:04.000Z"
         *     }
         */
        ExportedTakeover: {
            /** Format: date-time */
            refused_until: string;
            session: string;
        };
        /**
         * @description A token that is or was reserved for the user, with the user’s own part of its history. A token that the user no longer has shows nothing else.
         * @example {
         *       "application": "The football club",
         *       "contract_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
         *       "id": "7",
         *       "known_from": "2026-11-20T09:15:04.456Z",
         *       "history": [
         *         {
         *           "at": "2026-11-20T09:15:04.456Z",
         *           "what": "reserved",
         *           "to": "b0c1d2e3f405162738495a6b7c8d9e0f"
         *         },
         *         {
         *           "at": "2026-11-21T18:00:12.345Z",
         *           "what": "given",
         *           "from": "b0c1d2e3f405162738495a6b7c8d9e0f",
         *           "to": null
         *         }
         *       ]
         *     }
         */
        ExportedToken: {
            /** @description Null if the application was removed */
            application: string | null;
            /** @description EIP-55 form */
            contract_address: string;
            /** Format: date-time */
            created_at?: string;
            /** @description The address that the token was minted to, in EIP-55 form. Empty while the token is reserved */
            destinationn?: string;
            /** @description Set only if `status` is `failed`, or if it is `reserved` and the last claim failed */
            failure_reason?: string;
            /** @description Oldest first */
            history: components["schemas"]["TokenHistoryEntry"][];
            /** @description Decimal. The ids of a contract’s tokens increase, but may have gaps */
            id: string;
            /** @description Whether the token is final on the chain */
            is_confirmed?: boolean;
            /** @description From when on nothing is missing. Null if the token may have been given away or void without a trace. Only the newest 1000 entries are in the answer */
            known_from: string | null;
            metadata?: components["schemas"]["NftMetadata"];
            /** @description Set only if the metadata was changed after the mint or deployment */
            metadata_update?: components["schemas"]["MetadataUpdate"];
            /** @description Set only if a revocation was requested */
            revocation?: components["schemas"]["Revocation"];
            /** @enum {string} */
            status?: "pending" | "confirmed" | "failed" | "reserved";
            /** @description Empty while the token is reserved */
            transaction_hash?: string;
        };
        /**
         * @description A wallet that is linked to the user.
         * @example {
         *       "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *       "linked_at": "2026-05-29T09:01:12.000Z",
         *       "proven_at": "2026-05-29T09:01:02.000Z",
         *       "gives_access_from": "2026-05-29T09:01:12.000Z"
         *     }
         */
        ExportedWallet: {
            address: string;
            /**
             * Format: date-time
             * @description UTC. From then on the wallet’s tickets give no access until the wallet is linked again. Only if the wallet’s contract has verified the signature: 90 days after the last proof
             */
            expires_at?: string;
            /**
             * Format: date-time
             * @description From when on the wallet’s tickets give access. Later than `linked_at` if it was another user’s before
             */
            gives_access_from: string;
            /**
             * Format: date-time
             * @description UTC
             */
            linked_at: string;
            /**
             * Format: date-time
             * @description When the message was issued with whose signature the wallet was linked last
             */
            proven_at?: string;
        };
        /**
         * @description One mistake in a request.
         * @example {
         *       "path": "metadata.name",
         *       "message": "Must not be empty"
         *     }
         */
        FieldIssue: {
            /** @description An explanation for people. Its wording may change at any time */
            message: string;
            /** @description The field, parameter or header, such as `metadata.attributes[0].value` */
            path: string;
        };
        /**
         * @description The change contains fields that only the operator writes; `errors` names each of them.
         * @example {
         *       "status": 403,
         *       "message": "FIELD_NOT_WRITABLE",
         *       "errors": [
         *         {
         *           "path": "user_data.is_club",
         *           "message": "Only the operator writes it"
         *         }
         *       ]
         *     }
         */
        FieldNotWritable: {
            errors: components["schemas"]["FieldIssue"][];
            message: string;
            /** @description The id of the request: the operator finds the cause of the error with it */
            request_id?: string;
            status: number;
        };
        /**
         * @description In which countries an event or its stream is blocked.
         * @example {
         *       "enabled": true,
         *       "mode": "block",
         *       "countries": [
         *         "US"
         *       ]
         *     }
         */
        Geoblocking: {
            countries?: string[];
            enabled: boolean;
            /** @enum {string} */
            mode?: "block" | "allow";
            statuses?: components["schemas"]["EventStatusValue"][];
        };
        /**
         * @description In which countries an event or its stream is blocked.
         * @example {
         *       "enabled": true,
         *       "mode": "block",
         *       "countries": [
         *         "US"
         *       ]
         *     }
         */
        GeoblockingRequest: components["schemas"]["EnabledGeoblockingRequest"] | components["schemas"]["DisabledGeoblockingRequest"];
        /**
         * @description A picture or a recording that belongs to a contract.
         * @example {
         *       "type": "image",
         *       "value": "https://images.example.com/s27-wide.png"
         *     }
         */
        MediaItem: {
            /** @enum {string} */
            type: "audio" | "image";
            value: string;
        };
        /**
         * @description A picture or a recording for a contract.
         * @example {
         *       "type": "image",
         *       "value": "https://images.example.com/s27-wide.png"
         *     }
         */
        MediaItemRequest: {
            /** @enum {string} */
            type: "audio" | "image";
            /**
             * Format: uri
             * @description A URL with https:, ipfs:, ar: or data: (of an image, a sound or a video). At most 2048 bytes, or 16384 in a data: URL
             */
            value: string;
        };
        /**
         * @description New metadata of tokens with consecutive ids, 256 KB at most.
         * @example {
         *       "from": "2",
         *       "to": "3",
         *       "metadata": [
         *         {
         *           "name": "Row 2, seat 1"
         *         },
         *         {
         *           "name": "Row 2, seat 2"
         *         }
         *       ]
         *     }
         */
        MetadataBatchRequest: {
            from: string;
            metadata: components["schemas"]["NftMetadataRequest"][];
            to: string;
        };
        /**
         * @description The last change of the metadata, with the transaction that announces it.
         * @example {
         *       "is_confirmed": true,
         *       "transaction_hash": "0x7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b",
         *       "status": "confirmed"
         *     }
         */
        MetadataUpdate: {
            /** @description Set only if the transaction failed: the new metadata is served, but its change was not announced on the chain */
            failure_reason?: string;
            /** @description Whether the change is final on the chain */
            is_confirmed: boolean;
            /** @enum {string} */
            status: "pending" | "confirmed" | "failed";
            transaction_hash: string;
        };
        /**
         * @description A token of a contract.
         * @example {
         *       "id": "1",
         *       "is_confirmed": true,
         *       "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
         *       "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *       "metadata": {
         *         "name": "Row 1, seat 7",
         *         "description": null,
         *         "image": "https://images.example.com/seat.png",
         *         "image_preview": null,
         *         "image_thumbnail": null,
         *         "background_color": "#0B1F3A",
         *         "animation_url": null,
         *         "youtube_url": null,
         *         "attributes": [
         *           {
         *             "trait_type": "seat",
         *             "value": "7",
         *             "display_type": null
         *           }
         *         ]
         *       },
         *       "status": "confirmed",
         *       "created_at": "2026-11-20T09:15:04.456Z"
         *     }
         */
        Nft: {
            /** Format: date-time */
            created_at: string;
            /** @description The address that the token was minted to, in EIP-55 form. While the token is reserved, your identifier for the user; empty if the user was removed while a claim that has failed was under way */
            destinationn: string;
            /** @description Set only if `status` is `failed`, or if it is `reserved` and the last claim failed */
            failure_reason?: string;
            /** @description Decimal. The ids of a contract’s tokens increase, but may have gaps */
            id: string;
            /** @description Whether the token is final on the chain */
            is_confirmed: boolean;
            metadata: components["schemas"]["NftMetadata"];
            /** @description Set only if the metadata was changed after the mint or deployment */
            metadata_update?: components["schemas"]["MetadataUpdate"];
            /** @description Set only if a revocation was requested */
            revocation?: components["schemas"]["Revocation"];
            /** @enum {string} */
            status: "pending" | "confirmed" | "failed" | "reserved";
            /** @description Empty while the token is reserved */
            transaction_hash: string;
        };
        /**
         * @description Tokens that were minted in one transaction.
         * @example {
         *       "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
         *       "tokens": [
         *         {
         *           "id": "1",
         *           "is_confirmed": true,
         *           "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
         *           "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *           "metadata": {
         *             "name": "Row 1, seat 7",
         *             "description": null,
         *             "image": "https://images.example.com/seat.png",
         *             "image_preview": null,
         *             "image_thumbnail": null,
         *             "background_color": "#0B1F3A",
         *             "animation_url": null,
         *             "youtube_url": null,
         *             "attributes": [
         *               {
         *                 "trait_type": "seat",
         *                 "value": "7",
         *                 "display_type": null
         *               }
         *             ]
         *           },
         *           "status": "confirmed",
         *           "created_at": "2026-11-20T09:15:04.456Z"
         *         },
         *         {
         *           "id": "2",
         *           "is_confirmed": true,
         *           "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
         *           "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *           "metadata": {
         *             "name": "Row 1, seat 7",
         *             "description": null,
         *             "image": "https://images.example.com/seat.png",
         *             "image_preview": null,
         *             "image_thumbnail": null,
         *             "background_color": "#0B1F3A",
         *             "animation_url": null,
         *             "youtube_url": null,
         *             "attributes": [
         *               {
         *                 "trait_type": "seat",
         *                 "value": "7",
         *                 "display_type": null
         *               }
         *             ]
         *           },
         *           "status": "confirmed",
         *           "created_at": "2026-11-20T09:15:04.456Z"
         *         }
         *       ]
         *     }
         */
        NftBatch: {
            /** @description In the order of the request */
            tokens: components["schemas"]["Nft"][];
            /** @description The one transaction that mints all the tokens. Empty if they are reserved */
            transaction_hash: string;
        };
        /**
         * @description The metadata of a token. Fields without a value are null or empty.
         * @example {
         *       "name": "Row 1, seat 7",
         *       "description": null,
         *       "image": "https://images.example.com/seat.png",
         *       "image_preview": null,
         *       "image_thumbnail": null,
         *       "background_color": "#0B1F3A",
         *       "animation_url": null,
         *       "youtube_url": null,
         *       "attributes": [
         *         {
         *           "trait_type": "seat",
         *           "value": "7",
         *           "display_type": null
         *         }
         *       ]
         *     }
         */
        NftMetadata: {
            animation_url: string | null;
            attributes: components["schemas"]["Attribute"][];
            background_color: string | null;
            description: string | null;
            /** @description Set only if the metadata has one */
            external_url?: string;
            image: string | null;
            image_preview: string | null;
            image_thumbnail: string | null;
            name: string;
            youtube_url: string | null;
        };
        /**
         * @description The metadata of a token, 16 KB at most.
         * @example {
         *       "name": "Row 1, seat 7",
         *       "image": "https://images.example.com/seat.png",
         *       "background_color": "#0B1F3A",
         *       "attributes": [
         *         {
         *           "trait_type": "seat",
         *           "value": "7"
         *         }
         *       ]
         *     }
         */
        NftMetadataRequest: {
            /** @default null */
            animation_url?: string | null;
            /** @default [] */
            attributes?: components["schemas"]["AttributeRequest"][];
            /** @default null */
            background_color?: string | null;
            /** @default null */
            description?: string | null;
            /** @default null */
            external_url?: string | null;
            /** @default null */
            image?: string | null;
            /** @default null */
            image_preview?: string | null;
            /** @default null */
            image_thumbnail?: string | null;
            name: string;
            /** @default null */
            youtube_url?: string | null;
        };
        /**
         * @description A token to mint.
         * @example {
         *       "destination": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *       "metadata": {
         *         "name": "Row 1, seat 7",
         *         "image": "https://images.example.com/seat.png",
         *         "background_color": "#0B1F3A",
         *         "attributes": [
         *           {
         *             "trait_type": "seat",
         *             "value": "7"
         *           }
         *         ]
         *       }
         *     }
         */
        NftRequest: {
            /** @description An address, or your `application_user_sub` of a user, for whom the token is then reserved */
            destination: string;
            metadata: components["schemas"]["NftMetadataRequest"];
        };
        /**
         * @description Tokens of a contract.
         * @example {
         *       "tokens": [
         *         {
         *           "id": "1",
         *           "is_confirmed": true,
         *           "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
         *           "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *           "metadata": {
         *             "name": "Row 1, seat 7",
         *             "description": null,
         *             "image": "https://images.example.com/seat.png",
         *             "image_preview": null,
         *             "image_thumbnail": null,
         *             "background_color": "#0B1F3A",
         *             "animation_url": null,
         *             "youtube_url": null,
         *             "attributes": [
         *               {
         *                 "trait_type": "seat",
         *                 "value": "7",
         *                 "display_type": null
         *               }
         *             ]
         *           },
         *           "status": "confirmed",
         *           "created_at": "2026-11-20T09:15:04.456Z"
         *         }
         *       ]
         *     }
         */
        Nfts: {
            /** @description Ordered by id */
            tokens: components["schemas"]["Nft"][];
        };
        /**
         * @description The tokens of a batch, 256 KB at most.
         * @example {
         *       "tokens": [
         *         {
         *           "destination": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *           "metadata": {
         *             "name": "Row 1, seat 8"
         *           }
         *         },
         *         {
         *           "destination": "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
         *           "metadata": {
         *             "name": "Row 1, seat 9"
         *           }
         *         }
         *       ]
         *     }
         */
        NftsRequest: {
            tokens: components["schemas"]["NftRequest"][];
        };
        /**
         * @description The data of this user has changed: read it again.
         * @example {
         *       "operation_type": "data_update",
         *       "application_user_sub": "9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7",
         *       "date_time": "2026-11-20T09:15:02.123456"
         *     }
         */
        Notification: {
            application_user_sub: string;
            /** @description When the data changed, in UTC, with microseconds and without a time zone */
            date_time: string;
            /** @enum {string} */
            operation_type: "data_update" | "test";
        };
        /**
         * @description An endpoint of this application, with the state of its deliveries.
         * @example {
         *       "id": "5f1d0c9ae27b4830",
         *       "address": "https://club.example.com/notify",
         *       "form": "raw",
         *       "operation_types": [
         *         "data_update"
         *       ],
         *       "state": "confirmed",
         *       "last_success_at": "2026-11-20T09:15:02.456Z",
         *       "last_failure": null,
         *       "failing_since": null,
         *       "redelivery": null,
         *       "failed_last_24_hours": 0,
         *       "failed_not_redriven": 0
         *     }
         */
        NotificationEndpoint: {
            /** @description The URL of the endpoint, or the ARN of the queue */
            address: string;
            /** @description Failed deliveries of the last 24 hours. If there are very many, not all of them are counted */
            failed_last_24_hours: number;
            /** @description Failed deliveries of the last 30 days whose notification was not sent again. If there are very many, not all of them are counted */
            failed_not_redriven: number;
            /** @description The time of the first failure after the last success */
            failing_since: string | null;
            /** @enum {string} */
            form: "raw" | "enveloped";
            /** @description The id of an endpoint, as in the list of endpoints */
            id: string;
            last_failure: components["schemas"]["EndpointFailure"] | null;
            last_success_at: string | null;
            operation_types: ("data_update" | "contract_update" | "token_update" | "event_update" | "test")[];
            /** @description Null if the endpoint has accepted everything, as far as is known */
            redelivery: components["schemas"]["Redelivery"] | null;
            /**
             * @description `pending` until the endpoint has confirmed its subscription; `ended` if it did not confirm in time, or unsubscribed
             * @enum {string}
             */
            state: "pending" | "confirmed" | "ended";
        };
        /**
         * @description An OpenAPI document.
         * @example {
         *       "openapi": "3.1.1",
         *       "info": {
         *         "title": "Marquee",
         *         "version": "1"
         *       },
         *       "paths": {}
         *     }
         */
        OpenApiDocument: {
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description When what an endpoint has not accepted is sent again.
         * @example {
         *       "state": "waiting",
         *       "since": "2026-11-20T09:15:02.456Z",
         *       "attempt": 2,
         *       "next_at": "2026-11-20T09:45:00.000Z",
         *       "undelivered": 17
         *     }
         */
        Redelivery: {
            /** @description How many attempts were made since the endpoint last accepted a notification */
            attempt: number;
            /** @description When something is sent next; null while paused */
            next_at: string | null;
            /** @description When the oldest undelivered notification was published */
            since: string;
            /**
             * @description `waiting`: an attempt is made at `next_at`; `probing`: the outcome of an attempt is awaited; `replaying`: the endpoint accepts notifications again, and everything that it missed is being sent; `paused`: no further attempt is made until the endpoint accepts a notification, such as a test. If `failing_since` is null, the endpoint has refused some notifications for the whole time while it accepted others; these are sent again only by `POST /notifications/replay` with the status `failed`
             * @enum {string}
             */
            state: "waiting" | "probing" | "replaying" | "paused";
            /** @description How many users, contracts, tokens and events the endpoint may not have heard of. Exact up to 10,000 */
            undelivered: number;
        };
        /**
         * @description A replay of notifications, with its progress.
         * @example {
         *       "id": "3b5e6f4a9c1d4e0f8a7b6c5d4e3f2a1b",
         *       "from": "2026-11-20T09:00:00.000Z",
         *       "to": "2026-11-20T10:00:00.000Z",
         *       "status": null,
         *       "endpoint_id": null,
         *       "state": "running",
         *       "looked_at": 0,
         *       "published": 0,
         *       "started_at": "2026-11-20T10:02:11.123Z",
         *       "ended_at": null
         *     }
         */
        Replay: {
            ended_at: string | null;
            endpoint_id: string | null;
            from: string;
            id: string;
            /** @description How many notifications the replay has examined */
            looked_at: number;
            /** @description How many messages the replay has published */
            published: number;
            started_at: string;
            /** @enum {string} */
            state: "running" | "ended";
            /** @description The `status` in the request that started the replay */
            status: ("published" | "delivered" | "failed") | null;
            to: string;
        };
        /**
         * @description The notifications to send again.
         * @example {
         *       "from": "2026-11-20T09:00:00Z",
         *       "to": "2026-11-20T10:00:00Z"
         *     }
         */
        ReplayRequest: {
            /** @description Sends only to this endpoint; to all endpoints if left out */
            endpoint_id?: string;
            /**
             * Format: date-time
             * @description Replays notifications published at or after this time, which must be in the past
             */
            from: string;
            /**
             * @description Replays only notifications with this status. With `failed`, a notification is sent only to endpoints that have accepted neither this notification nor a newer one about the same user, contract, token or event
             * @enum {string}
             */
            status?: "published" | "delivered" | "failed";
            /**
             * Format: date-time
             * @description Replays notifications published before this time. Notifications published after this call are not replayed
             */
            to: string;
        };
        /**
         * @description The revocation of the token, with the transaction that burns it.
         * @example {
         *       "is_confirmed": false,
         *       "transaction_hash": "0x7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b",
         *       "status": "pending"
         *     }
         */
        Revocation: {
            /** @description Set only if the revocation failed: the token is unchanged */
            failure_reason?: string;
            /** @description Whether the change is final on the chain */
            is_confirmed: boolean;
            /** @enum {string} */
            status: "pending" | "confirmed" | "failed";
            transaction_hash: string;
        };
        /**
         * @description The royalty on each sale of a token (ERC-2981).
         * @example {
         *       "receiver": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *       "basis_points": 250,
         *       "is_confirmed": true,
         *       "transaction_hash": "0x2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f",
         *       "status": "confirmed"
         *     }
         */
        Royalty: {
            /** @description Hundredths of a per cent of the price */
            basis_points: number;
            /** @description Set only if the change failed. The previous royalty then stays valid on the chain */
            failure_reason?: string;
            /** @description Whether the change is final on the chain */
            is_confirmed: boolean;
            /** @description EIP-55 form; null if the royalty was removed */
            receiver: string | null;
            /** @enum {string} */
            status: "pending" | "confirmed" | "failed";
            transaction_hash: string;
        };
        /**
         * @description The royalty on each sale of a token. `basis_points` are hundredths of a per cent, 1,000 at most.
         * @example {
         *       "receiver": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *       "basis_points": 250
         *     }
         */
        RoyaltyRequest: {
            basis_points: number;
            receiver: string;
        };
        /**
         * @description The new royalty on each sale; `receiver: null` removes the royalty.
         * @example {
         *       "receiver": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *       "basis_points": 250
         *     }
         */
        RoyaltyUpdate: {
            basis_points?: number;
            receiver: string | null;
        };
        /**
         * @description A status that an event takes by itself, and when.
         * @example {
         *       "at": "2026-05-29T09:00:00.000Z",
         *       "status": "LIVE"
         *     }
         */
        ScheduleEntry: {
            /** Format: date-time */
            at: string;
            status: components["schemas"]["EventStatusValue"];
        };
        /**
         * @description A status that an event takes by itself, and when.
         * @example {
         *       "at": "2026-05-29T11:00:00+02:00",
         *       "status": "LIVE"
         *     }
         */
        ScheduleEntryRequest: {
            /** Format: date-time */
            at: string;
            status: components["schemas"]["EventStatusValue"];
        };
        /**
         * @description A notification that was sent to this application, with its deliveries.
         * @example {
         *       "id": "b1946ac9-2492-4d23-9f4b-6f6ac2d3c2a1",
         *       "operation_type": "data_update",
         *       "application_user_sub": "9f0c2b4e6a514c1e8f0a3f3de1d6a2c7",
         *       "date_time": "2026-11-20T09:15:02.123456",
         *       "published_at": "2026-11-20T09:15:02.300Z",
         *       "status": "published",
         *       "deliveries": []
         *     }
         */
        SentNotification: {
            /** @description Set if the notification is about a user */
            application_user_sub?: string;
            /**
             * @description The final outcome on the chain, for a notification about a contract or token
             * @enum {string}
             */
            chain_status?: "confirmed" | "failed";
            /**
             * @description Set if the notification is about events
             * @enum {string}
             */
            change?: "created" | "changed" | "status" | "removed" | "many";
            /** @description Set if the notification is about a contract or token */
            contract_address?: string;
            date_time: string;
            deliveries: components["schemas"]["Delivery"][];
            /** @description Set if the notification is about one event */
            event_id?: string;
            /**
             * @description The status of the event that the notification tells
             * @enum {string}
             */
            event_status?: "UPCOMING" | "LIVE" | "FINISHED" | "VOD" | "CANCELLED";
            failure_reason?: string;
            /** @description The message id in the headers that the endpoint received */
            id: string;
            /** @enum {string} */
            operation_type: "data_update" | "contract_update" | "token_update" | "event_update" | "test";
            /** @enum {string} */
            part?: "royalty" | "metadata" | "revocation" | "claim";
            published_at: string;
            /** @description Set if this notification is a copy that the operator sent: the id of the original notification */
            redrive_of?: string;
            /** @description Set if this notification is a copy that a replay or a redelivery sent: the id of the original notification */
            replay_of?: string;
            /**
             * @description `failed` if the delivery to any endpoint failed; `delivered` if at least one succeeded and none failed; `published` until the first delivery has ended
             * @enum {string}
             */
            status: "published" | "delivered" | "failed";
            token_id?: string;
            transaction_hash?: string;
        };
        /**
         * @description What is needed to play an event.
         * @example {
         *       "event_id": "training-session",
         *       "type": "hls",
         *       "url": "https://streams.example.com/training-session/index.m3u8",
         *       "expires_at": null
         *     }
         */
        Stream: {
            /** @description Send this as `continuation` with the next call for this session. Set only if there is a limit on how many streams a viewer plays at the same time */
            continuation?: string;
            event_id: string;
            /** @description When the signature expires and the stream must be requested again, at the latest when a planned change of status refuses the viewer; null if nothing is signed */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When to request the stream again, which renews the signed cookies and the session. Set if the stage signs streams with cookies
             */
            renew_at?: string;
            /** @enum {string} */
            type: "hls" | "dash" | "file";
            /** Format: uri */
            url: string;
        };
        /**
         * @description Asks the endpoint to confirm that it wants the notifications of the topic.
         * @example {
         *       "Type": "SubscriptionConfirmation",
         *       "Token": "2336412f37",
         *       "Message": "You have chosen to subscribe to the topic arn:aws:sns:eu-central-1:123456789012:marquee-changes.",
         *       "SubscribeURL": "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-central-1:123456789012:marquee-changes&Token=2336412f37",
         *       "MessageId": "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
         *       "TopicArn": "arn:aws:sns:eu-central-1:123456789012:marquee-changes",
         *       "Timestamp": "2026-11-20T09:15:02.130Z",
         *       "SignatureVersion": "2",
         *       "Signature": "EXAMPLEpH+DcEwjAPg8O9mY8dReBSwksfg2S7WKQcikcNKWLQjwu6A4VbeS0QHVCkhRS7fUQvi2egU3N858fiTDN6bkk",
         *       "SigningCertURL": "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-7506a1e35b36ef5a444dd1a8e7cc3ed8.pem"
         *     }
         */
        SubscriptionConfirmation: {
            Message: string;
            MessageId: string;
            Signature: string;
            SignatureVersion: string;
            SigningCertURL: string;
            /** @description Request this URL once with GET */
            SubscribeURL: string;
            /** Format: date-time */
            Timestamp: string;
            Token: string;
            TopicArn: string;
            /** @constant */
            Type: "SubscriptionConfirmation";
        };
        /**
         * @description The endpoint to test. If `endpoint_id` is left out, every endpoint of the application is tested.
         * @example {}
         */
        TestRequest: {
            /** @description The id of an endpoint, as in the list of endpoints */
            endpoint_id?: string;
        };
        /**
         * @description A collection whose tokens are tickets for an event.
         * @example {
         *       "contract_address": "0x5fbdb2315678afecb367f032d93f642f64180aa3"
         *     }
         */
        Ticket: {
            contract_address: string;
        };
        /**
         * @description A collection whose tokens are tickets for an event.
         * @example {
         *       "contract_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3"
         *     }
         */
        TicketRequest: {
            contract_address: string;
        };
        /**
         * @description What happened to a token.
         * @example {
         *       "known_from": "2026-11-20T09:15:04.456Z",
         *       "history": [
         *         {
         *           "at": "2026-11-20T09:15:04.456Z",
         *           "what": "reserved",
         *           "to": "b0c1d2e3f405162738495a6b7c8d9e0f"
         *         },
         *         {
         *           "at": "2026-11-21T18:00:12.345Z",
         *           "what": "given",
         *           "from": "b0c1d2e3f405162738495a6b7c8d9e0f",
         *           "to": "0f9e8d7c6b5a49382716050403020100"
         *         }
         *       ]
         *     }
         */
        TokenHistory: {
            /** @description Oldest first */
            history: components["schemas"]["TokenHistoryEntry"][];
            /** @description From when on nothing is missing. Null if the token may have been given away or void without a trace. Only the newest 1000 entries are in the answer */
            known_from: string | null;
        };
        /**
         * @description Something that happened to a token.
         * @example {
         *       "at": "2026-11-21T18:00:12.345Z",
         *       "what": "given",
         *       "from": "b0c1d2e3f405162738495a6b7c8d9e0f",
         *       "to": "0f9e8d7c6b5a49382716050403020100"
         *     }
         */
        TokenHistoryEntry: {
            /**
             * Format: date-time
             * @description UTC
             */
            at: string;
            /** @description The user who had it. Null if the answer does not name the user. Absent if nobody had it */
            from?: string | null;
            /**
             * @description The status of the transaction. Until it is final, `at` is when it was signed
             * @enum {string}
             */
            status?: "pending" | "confirmed" | "failed";
            /** @description The user who got it, or the address in EIP-55 form to which it is minted. Null if the answer does not name the user. Absent if nobody got it, for example because the transaction failed */
            to?: string | null;
            /** @description Set if a transaction on the chain does it */
            transaction_hash?: string;
            /**
             * @description `reserved`: the token was reserved for the user `to`. `given`: your request gave it to another user. `claimed`: a transaction that mints it was signed, to the address `to`. `minted`: that transaction, or the mint of a token that was never reserved. `updated`: its metadata changed. `revoked`: it was revoked. `voided`, `unvoided`: it gave access to no event from then on, and again.
             * @enum {string}
             */
            what: "reserved" | "given" | "claimed" | "minted" | "updated" | "revoked" | "voided" | "unvoided";
        };
        /**
         * @description Metadata of a token (ERC-721). Fields without a value are left out.
         * @example {
         *       "name": "Row 1, seat 7",
         *       "image": "https://images.example.com/seat.png",
         *       "background_color": "0B1F3A",
         *       "attributes": [
         *         {
         *           "trait_type": "seat",
         *           "value": "7"
         *         }
         *       ]
         *     }
         */
        TokenMetadata: {
            name: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The owner of a token at a block.
         * @example {
         *       "owner": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *       "block_number": 79120345,
         *       "as_of": "2026-11-20T09:15:04.000Z"
         *     }
         */
        TokenOwner: {
            /**
             * Format: date-time
             * @description The time of the block `block_number`
             */
            as_of: string;
            /** @description The block at which the owner was read. It is the newest block, which need not be final */
            block_number: number;
            /** @description EIP-55 form */
            owner: string;
        };
        /**
         * @description The reason why a user’s data is not in the response.
         * @example {
         *       "application_user_sub": "00000000000000000000000000000000",
         *       "error_fields": "USER_NOT_FOUND"
         *     }
         */
        UnreadApplicationUser: {
            /** @description This application’s identifier for the user. Each application has a different identifier for the same user */
            application_user_sub: string;
            /**
             * @description `READ_AGAIN`: the response was full, or the user could not be read, so request this user again
             * @enum {string}
             */
            error_fields: "USER_NOT_FOUND" | "READ_AGAIN";
        };
        /**
         * @description Says that the subscription has ended.
         * @example {
         *       "Type": "UnsubscribeConfirmation",
         *       "Token": "2336412f37",
         *       "Message": "You have chosen to deactivate subscription arn:aws:sns:eu-central-1:123456789012:marquee-changes:2bcfbf39-05c3-41de-beaa-fcfcc21c8f55.",
         *       "SubscribeURL": "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-central-1:123456789012:marquee-changes&Token=2336412f37",
         *       "MessageId": "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
         *       "TopicArn": "arn:aws:sns:eu-central-1:123456789012:marquee-changes",
         *       "Timestamp": "2026-11-20T09:15:02.130Z",
         *       "SignatureVersion": "2",
         *       "Signature": "EXAMPLEpH+DcEwjAPg8O9mY8dReBSwksfg2S7WKQcikcNKWLQjwu6A4VbeS0QHVCkhRS7fUQvi2egU3N858fiTDN6bkk",
         *       "SigningCertURL": "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-7506a1e35b36ef5a444dd1a8e7cc3ed8.pem"
         *     }
         */
        UnsubscribeConfirmation: {
            Message: string;
            MessageId: string;
            Signature: string;
            SignatureVersion: string;
            SigningCertURL: string;
            /** @description Request this URL only to restore the subscription, which is possible for two days */
            SubscribeURL: string;
            /** Format: date-time */
            Timestamp: string;
            Token: string;
            TopicArn: string;
            /** @constant */
            Type: "UnsubscribeConfirmation";
        };
        /**
         * @description All data of a user.
         * @example {
         *       "user_data": {
         *         "email": "ana@example.com",
         *         "is_club": "yes",
         *         "club_id": "7"
         *       },
         *       "user_agreements": []
         *     }
         */
        UserData: {
            user_agreements: unknown[];
            user_data: {
                [key: string]: unknown;
            };
        };
        /**
         * @description A change of a user’s data.
         * @example {
         *       "user_data": {
         *         "email": "ana@example.com",
         *         "is_club": "yes",
         *         "club_id": "7"
         *       }
         *     }
         */
        UserDataChange: {
            user_agreements?: unknown[];
            user_data?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description A page of all that is stored of a user. The first page has every field. Later pages have only further `tokens`.
         * @example {
         *       "user_sub": "ana",
         *       "registered_at": "2026-05-04T08:30:00.000Z",
         *       "changed_at": "2026-11-20T09:15:02.123Z",
         *       "user_data": {
         *         "email": "ana@example.com"
         *       },
         *       "user_agreements": [],
         *       "applications": [
         *         {
         *           "name": "The football club",
         *           "application_user_sub": "b0c1d2e3f405162738495a6b7c8d9e0f",
         *           "is_linked": true
         *         }
         *       ],
         *       "wallets": [
         *         {
         *           "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *           "linked_at": "2026-05-29T09:01:12.000Z",
         *           "proven_at": "2026-05-29T09:01:02.000Z",
         *           "gives_access_from": "2026-05-29T09:01:12.000Z"
         *         }
         *       ],
         *       "sessions": {
         *         "playing": [
         *           {
         *             "session": "6f1e0c9d-2b3a-4867-9c0e-1d2f3a4b5c6d",
         *             "event_id": "cup-final",
         *             "applications": [
         *               "The football club"
         *             ],
         *             "began_at": "2026-11-20T19:58:04.000Z",
         *             "renewed_at": "2026-11-20T20:03:04.000Z",
         *             "ends_at": "2026-11-20T20:08:04.000Z"
         *           }
         *         ],
         *         "taken_over": [
         *           {
         *             "session": "0c9d2b3a-4867-4c0e-9d2f-3a4b5c6d6f1e",
         *             "refused_until": "2026-11-20T20:58:04.000Z"
         *           }
         *         ],
         *         "ended_early_at": [],
         *         "moved_at": [],
         *         "repeated_at": [],
         *         "today": {
         *           "day": "2026-11-20",
         *           "applications": [
         *             "The football club"
         *           ],
         *           "begun": 1,
         *           "ended": 0,
         *           "taken_over": 0,
         *           "refused": 0,
         *           "addresses": 1
         *         }
         *       },
         *       "counts": [
         *         {
         *           "what": "changes",
         *           "since": "2026-11-20T09:15:02.123Z",
         *           "count": 1
         *         }
         *       ],
         *       "tokens": [
         *         {
         *           "application": "The football club",
         *           "contract_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
         *           "id": "7",
         *           "known_from": "2026-11-20T09:15:04.456Z",
         *           "history": [
         *             {
         *               "at": "2026-11-20T09:15:04.456Z",
         *               "what": "reserved",
         *               "to": "b0c1d2e3f405162738495a6b7c8d9e0f"
         *             },
         *             {
         *               "at": "2026-11-21T18:00:12.345Z",
         *               "what": "given",
         *               "from": "b0c1d2e3f405162738495a6b7c8d9e0f",
         *               "to": null
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        UserExport: {
            applications?: components["schemas"]["ExportedApplication"][];
            /**
             * Format: date-time
             * @description When the data was changed last
             */
            changed_at?: string;
            counts?: components["schemas"]["ExportedCount"][];
            /** Format: date-time */
            registered_at?: string;
            /** @description Null if no session was counted today or yesterday */
            sessions?: components["schemas"]["ExportedSessions"] | null;
            tokens: components["schemas"]["ExportedToken"][];
            user_agreements?: unknown[];
            user_data?: {
                [key: string]: unknown;
            };
            user_sub?: string;
            wallets?: components["schemas"]["ExportedWallet"][];
        };
        /**
         * @description No user of the application has this identifier.
         * @example {
         *       "status": 404,
         *       "error_fields": "USER_NOT_FOUND"
         *     }
         */
        UserNotFound: {
            error_fields: string;
            /** @description The id of the request: the operator finds the cause of the error with it. Absent in the business-to-business calls about users */
            request_id?: string;
            status: number;
        };
        /**
         * @description Users, by the identity provider’s identifiers (`sub`).
         * @example {
         *       "user_subs": [
         *         "ana",
         *         "nobody"
         *       ]
         *     }
         */
        UserSubs: {
            /** @description The identity provider’s identifiers of the users (`sub`) */
            user_subs: string[];
        };
        /**
         * @description A token that is or was reserved for the user.
         * @example {
         *       "contract_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
         *       "id": "7",
         *       "is_confirmed": false,
         *       "transaction_hash": "",
         *       "destinationn": "",
         *       "metadata": {
         *         "name": "Row 1, seat 7",
         *         "description": null,
         *         "image": "https://images.example.com/seat.png",
         *         "image_preview": null,
         *         "image_thumbnail": null,
         *         "background_color": "#0B1F3A",
         *         "animation_url": null,
         *         "youtube_url": null,
         *         "attributes": [
         *           {
         *             "trait_type": "seat",
         *             "value": "7",
         *             "display_type": null
         *           }
         *         ]
         *       },
         *       "status": "reserved",
         *       "created_at": "2026-11-20T09:15:04.456Z"
         *     }
         */
        UserToken: {
            /** @description EIP-55 form */
            contract_address: string;
            /** Format: date-time */
            created_at: string;
            /** @description The address that the token was minted to, in EIP-55 form. Empty while the token is reserved */
            destinationn: string;
            /** @description Set only if `status` is `failed`, or if it is `reserved` and the last claim failed */
            failure_reason?: string;
            /** @description Decimal. The ids of a contract’s tokens increase, but may have gaps */
            id: string;
            /** @description Whether the token is final on the chain */
            is_confirmed: boolean;
            metadata: components["schemas"]["NftMetadata"];
            /** @description Set only if the metadata was changed after the mint or deployment */
            metadata_update?: components["schemas"]["MetadataUpdate"];
            /** @description Set only if a revocation was requested */
            revocation?: components["schemas"]["Revocation"];
            /** @enum {string} */
            status: "pending" | "confirmed" | "failed" | "reserved";
            /** @description Empty while the token is reserved */
            transaction_hash: string;
        };
        /**
         * @description A stream that the viewer plays.
         * @example {
         *       "session": "3f0c6c1e-52a0-4d4c-9d52-0a2f5a3f1e11",
         *       "event_id": "training-session",
         *       "began_at": "2026-05-29T09:00:00.000Z",
         *       "ends_at": "2026-05-29T09:01:00.000Z"
         *     }
         */
        ViewerSession: {
            /** Format: date-time */
            began_at: string;
            /**
             * Format: date-time
             * @description When the session ends if it is not renewed
             */
            ends_at: string;
            event_id: string;
            session: string;
        };
        /**
         * @description A token that is void: it gives access to no event, whoever holds it.
         * @example {
         *       "contract_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
         *       "id": "1",
         *       "voided_at": "2026-05-29T09:01:12.000Z"
         *     }
         */
        VoidToken: {
            contract_address: string;
            id: string;
            /**
             * Format: date-time
             * @description UTC
             */
            voided_at: string;
        };
        /**
         * @description A wallet that is linked to the user.
         * @example {
         *       "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *       "linked_at": "2026-05-29T09:01:12.000Z"
         *     }
         */
        Wallet: {
            address: string;
            /**
             * Format: date-time
             * @description UTC. From then on the wallet’s tickets give no access until the wallet is linked again. Only if the wallet’s contract has verified the signature: 90 days after the last proof
             */
            expires_at?: string;
            /**
             * Format: date-time
             * @description UTC
             */
            linked_at: string;
        };
        /**
         * @description A Sign-In with Ethereum message (EIP-4361) for the wallet to sign.
         * @example {
         *       "challenge_id": "5f1e0c9d2b3a48679c0e1d2f3a4b5c6d",
         *       "message": "fans.example.com wants you to sign in with your Ethereum account: …",
         *       "expires_at": "2026-05-29T09:10:00.000Z"
         *     }
         */
        WalletChallenge: {
            challenge_id: string;
            /**
             * Format: date-time
             * @description UTC
             */
            expires_at: string;
            /** @description The wallet signs exactly this text (`personal_sign`) */
            message: string;
        };
        /**
         * @description The wallet to link, and the page on which it signs.
         * @example {
         *       "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *       "origin": "https://fans.example.com"
         *     }
         */
        WalletChallengeRequest: {
            /**
             * @description The address of a wallet
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            address: string;
            /** @description The origin of the page, as the browser sends it. It must be one of the application’s configured origins */
            origin: string;
        };
        /**
         * @description A challenge, and the wallet’s signature over its message.
         * @example {
         *       "challenge_id": "5f1e0c9d2b3a48679c0e1d2f3a4b5c6d",
         *       "signature": "0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
         *     }
         */
        WalletProof: {
            challenge_id: string;
            /** @description As the wallet returns it. A signature that the wallet’s own key did not make is verified by the wallet’s contract (ERC-1271, or ERC-6492 before the contract is deployed) */
            signature: string;
        };
    };
    responses: {
        /** @description The service gave no valid response; the outcome of the request is unknown */
        BadGateway: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not allowed */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request took too long; its outcome is unknown */
        GatewayTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request line and the headers exceed 10,240 bytes, so the gateway refuses the request. The body of the response may differ from this schema */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error in the service */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large */
        RequestTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A required service is unavailable; retry later */
        ServiceUnavailable: {
            headers: {
                /**
                 * @description The number of seconds after which a retry may succeed. Not always set
                 * @example 10
                 */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests, or the daily limit is reached */
        TooManyRequests: {
            headers: {
                /**
                 * @description The number of seconds after which a retry may succeed. Not always set
                 * @example 10
                 */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listContracts: {
        parameters: {
            query?: {
                /** @description Where the page begins: a value from the `Link` header of the previous page */
                cursor?: string;
                /** @description The maximum number of entries on a page; 50 if left out */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contracts */
            200: {
                headers: {
                    /**
                     * @description The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page
                     * @example <https://api.example.com/api/v1/nft/contracts/?limit=50&cursor=Zm9v>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
                     *         "name": "Season 2027",
                     *         "symbol": "S27",
                     *         "description": "All tickets of the season",
                     *         "chain": "MATIC",
                     *         "image": "https://images.example.com/s27.png",
                     *         "media": [
                     *           {
                     *             "type": "image",
                     *             "value": "https://images.example.com/s27-wide.png"
                     *           }
                     *         ],
                     *         "royalty": null,
                     *         "is_confirmed": false,
                     *         "transaction_hash": "0x2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f",
                     *         "status": "pending",
                     *         "created_at": "2026-11-20T09:15:02.123Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Contract"][];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createContract: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: a request with the same key and the same body returns what the first request created, in its current state. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Season 2027",
                 *       "symbol": "S27",
                 *       "chain": "MATIC",
                 *       "description": "All tickets of the season",
                 *       "image": "https://images.example.com/s27.png",
                 *       "media": [
                 *         {
                 *           "type": "image",
                 *           "value": "https://images.example.com/s27-wide.png"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ContractRequest"];
            };
        };
        responses: {
            /** @description The contract */
            201: {
                headers: {
                    /**
                     * @description `true` if the response is the result of an earlier request with the same `Idempotency-Key`, in its current state. Otherwise absent
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    /**
                     * @description The URL of the created resource
                     * @example https://api.example.com/api/v1/nft/contracts/0x5FbDB2315678afecb367f032d93F642f64180aa3
                     */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
                     *       "name": "Season 2027",
                     *       "symbol": "S27",
                     *       "description": "All tickets of the season",
                     *       "chain": "MATIC",
                     *       "image": "https://images.example.com/s27.png",
                     *       "media": [
                     *         {
                     *           "type": "image",
                     *           "value": "https://images.example.com/s27-wide.png"
                     *         }
                     *       ],
                     *       "royalty": null,
                     *       "is_confirmed": false,
                     *       "transaction_hash": "0x2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f",
                     *       "status": "pending",
                     *       "created_at": "2026-11-20T09:15:02.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Contract"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The idempotency key was already used with a different body, or this single request exceeds the daily limit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getContract: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contract */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
                     *       "name": "Season 2027",
                     *       "symbol": "S27",
                     *       "description": "All tickets of the season",
                     *       "chain": "MATIC",
                     *       "image": "https://images.example.com/s27.png",
                     *       "media": [
                     *         {
                     *           "type": "image",
                     *           "value": "https://images.example.com/s27-wide.png"
                     *         }
                     *       ],
                     *       "royalty": null,
                     *       "is_confirmed": false,
                     *       "transaction_hash": "0x2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f",
                     *       "status": "pending",
                     *       "created_at": "2026-11-20T09:15:02.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Contract"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getContractMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata */
            200: {
                headers: {
                    /**
                     * @description `no-cache`: the response may be stored, but must be revalidated before each use
                     * @example public, max-age=60
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description The version of the metadata. If you send it as `If-None-Match`, the response is 304 as long as the metadata has not changed
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Season 2027",
                     *       "symbol": "S27",
                     *       "description": "All tickets of the season",
                     *       "image": "https://images.example.com/s27.png"
                     *     }
                     */
                    "application/json": components["schemas"]["ContractMetadata"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    updateContractMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: a request with the same key and the same body returns what the first request created, in its current state. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "All tickets of the season",
                 *       "image": "https://images.example.com/s28.png"
                 *     }
                 */
                "application/json": components["schemas"]["ContractMetadataRequest"];
            };
        };
        responses: {
            /** @description The contract */
            200: {
                headers: {
                    /**
                     * @description `true` if the response is the result of an earlier request with the same `Idempotency-Key`, in its current state. Otherwise absent
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
                     *       "name": "Season 2027",
                     *       "symbol": "S27",
                     *       "description": "All tickets of the season",
                     *       "chain": "MATIC",
                     *       "image": "https://images.example.com/s27.png",
                     *       "media": [
                     *         {
                     *           "type": "image",
                     *           "value": "https://images.example.com/s27-wide.png"
                     *         }
                     *       ],
                     *       "royalty": null,
                     *       "is_confirmed": false,
                     *       "transaction_hash": "0x2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f",
                     *       "status": "pending",
                     *       "created_at": "2026-11-20T09:15:02.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Contract"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The idempotency key was already used with a different body, or this single request exceeds the daily limit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getTokenMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
                /**
                 * @description The id of a token, decimal
                 * @example 1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata */
            200: {
                headers: {
                    /**
                     * @description `no-cache`: the response may be stored, but must be revalidated before each use
                     * @example public, max-age=60
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description The version of the metadata. If you send it as `If-None-Match`, the response is 304 as long as the metadata has not changed
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Row 1, seat 7",
                     *       "image": "https://images.example.com/seat.png",
                     *       "background_color": "0B1F3A",
                     *       "attributes": [
                     *         {
                     *           "trait_type": "seat",
                     *           "value": "7"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TokenMetadata"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    updateMetadataBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: a request with the same key and the same body returns what the first request created, in its current state. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2",
                 *       "to": "3",
                 *       "metadata": [
                 *         {
                 *           "name": "Row 2, seat 1"
                 *         },
                 *         {
                 *           "name": "Row 2, seat 2"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MetadataBatchRequest"];
            };
        };
        responses: {
            /** @description The tokens */
            200: {
                headers: {
                    /**
                     * @description `true` if the response is the result of an earlier request with the same `Idempotency-Key`, in its current state. Otherwise absent
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": [
                     *         {
                     *           "id": "1",
                     *           "is_confirmed": true,
                     *           "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
                     *           "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *           "metadata": {
                     *             "name": "Row 1, seat 7",
                     *             "description": null,
                     *             "image": "https://images.example.com/seat.png",
                     *             "image_preview": null,
                     *             "image_thumbnail": null,
                     *             "background_color": "#0B1F3A",
                     *             "animation_url": null,
                     *             "youtube_url": null,
                     *             "attributes": [
                     *               {
                     *                 "trait_type": "seat",
                     *                 "value": "7",
                     *                 "display_type": null
                     *               }
                     *             ]
                     *           },
                     *           "status": "confirmed",
                     *           "created_at": "2026-11-20T09:15:04.456Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Nfts"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The idempotency key was already used with a different body, or this single request exceeds the daily limit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    mintToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: a request with the same key and the same body returns what the first request created, in its current state. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "destination": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                 *       "metadata": {
                 *         "name": "Row 1, seat 7",
                 *         "image": "https://images.example.com/seat.png",
                 *         "background_color": "#0B1F3A",
                 *         "attributes": [
                 *           {
                 *             "trait_type": "seat",
                 *             "value": "7"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NftRequest"];
            };
        };
        responses: {
            /** @description The token */
            201: {
                headers: {
                    /**
                     * @description `true` if the response is the result of an earlier request with the same `Idempotency-Key`, in its current state. Otherwise absent
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    /**
                     * @description The URL of the created resource
                     * @example https://api.example.com/api/v1/nft/contracts/0x5FbDB2315678afecb367f032d93F642f64180aa3
                     */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1",
                     *       "is_confirmed": true,
                     *       "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
                     *       "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *       "metadata": {
                     *         "name": "Row 1, seat 7",
                     *         "description": null,
                     *         "image": "https://images.example.com/seat.png",
                     *         "image_preview": null,
                     *         "image_thumbnail": null,
                     *         "background_color": "#0B1F3A",
                     *         "animation_url": null,
                     *         "youtube_url": null,
                     *         "attributes": [
                     *           {
                     *             "trait_type": "seat",
                     *             "value": "7",
                     *             "display_type": null
                     *           }
                     *         ]
                     *       },
                     *       "status": "confirmed",
                     *       "created_at": "2026-11-20T09:15:04.456Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Nft"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["UserNotFound"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The idempotency key was already used with a different body, or this single request exceeds the daily limit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    mintBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: a request with the same key and the same body returns what the first request created, in its current state. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tokens": [
                 *         {
                 *           "destination": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                 *           "metadata": {
                 *             "name": "Row 1, seat 8"
                 *           }
                 *         },
                 *         {
                 *           "destination": "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
                 *           "metadata": {
                 *             "name": "Row 1, seat 9"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NftsRequest"];
            };
        };
        responses: {
            /** @description The tokens */
            201: {
                headers: {
                    /**
                     * @description `true` if the response is the result of an earlier request with the same `Idempotency-Key`, in its current state. Otherwise absent
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
                     *       "tokens": [
                     *         {
                     *           "id": "1",
                     *           "is_confirmed": true,
                     *           "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
                     *           "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *           "metadata": {
                     *             "name": "Row 1, seat 7",
                     *             "description": null,
                     *             "image": "https://images.example.com/seat.png",
                     *             "image_preview": null,
                     *             "image_thumbnail": null,
                     *             "background_color": "#0B1F3A",
                     *             "animation_url": null,
                     *             "youtube_url": null,
                     *             "attributes": [
                     *               {
                     *                 "trait_type": "seat",
                     *                 "value": "7",
                     *                 "display_type": null
                     *               }
                     *             ]
                     *           },
                     *           "status": "confirmed",
                     *           "created_at": "2026-11-20T09:15:04.456Z"
                     *         },
                     *         {
                     *           "id": "2",
                     *           "is_confirmed": true,
                     *           "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
                     *           "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *           "metadata": {
                     *             "name": "Row 1, seat 7",
                     *             "description": null,
                     *             "image": "https://images.example.com/seat.png",
                     *             "image_preview": null,
                     *             "image_thumbnail": null,
                     *             "background_color": "#0B1F3A",
                     *             "animation_url": null,
                     *             "youtube_url": null,
                     *             "attributes": [
                     *               {
                     *                 "trait_type": "seat",
                     *                 "value": "7",
                     *                 "display_type": null
                     *               }
                     *             ]
                     *           },
                     *           "status": "confirmed",
                     *           "created_at": "2026-11-20T09:15:04.456Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NftBatch"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["UserNotFound"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The idempotency key was already used with a different body, or this single request exceeds the daily limit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    setRoyalty: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: a request with the same key and the same body returns what the first request created, in its current state. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "receiver": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                 *       "basis_points": 250
                 *     }
                 */
                "application/json": components["schemas"]["RoyaltyUpdate"];
            };
        };
        responses: {
            /** @description The contract */
            200: {
                headers: {
                    /**
                     * @description `true` if the response is the result of an earlier request with the same `Idempotency-Key`, in its current state. Otherwise absent
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
                     *       "name": "Season 2027",
                     *       "symbol": "S27",
                     *       "description": "All tickets of the season",
                     *       "chain": "MATIC",
                     *       "image": "https://images.example.com/s27.png",
                     *       "media": [
                     *         {
                     *           "type": "image",
                     *           "value": "https://images.example.com/s27-wide.png"
                     *         }
                     *       ],
                     *       "royalty": null,
                     *       "is_confirmed": false,
                     *       "transaction_hash": "0x2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f",
                     *       "status": "pending",
                     *       "created_at": "2026-11-20T09:15:02.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Contract"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The idempotency key was already used with a different body, or this single request exceeds the daily limit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description Where the page begins: a value from the `Link` header of the previous page */
                cursor?: string;
                /** @description An address: only tokens that were minted to it, even if another address holds them now. Your `application_user_sub` of a user: only tokens that are reserved for the user */
                destination?: string;
                /** @description The maximum number of entries on a page; 50 if left out */
                limit?: number;
                /** @description Only tokens with this status */
                status?: "pending" | "confirmed" | "failed" | "reserved";
            };
            header?: never;
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tokens */
            200: {
                headers: {
                    /**
                     * @description The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page
                     * @example <https://api.example.com/api/v1/nft/contracts/?limit=50&cursor=Zm9v>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "1",
                     *         "is_confirmed": true,
                     *         "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
                     *         "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *         "metadata": {
                     *           "name": "Row 1, seat 7",
                     *           "description": null,
                     *           "image": "https://images.example.com/seat.png",
                     *           "image_preview": null,
                     *           "image_thumbnail": null,
                     *           "background_color": "#0B1F3A",
                     *           "animation_url": null,
                     *           "youtube_url": null,
                     *           "attributes": [
                     *             {
                     *               "trait_type": "seat",
                     *               "value": "7",
                     *               "display_type": null
                     *             }
                     *           ]
                     *         },
                     *         "status": "confirmed",
                     *         "created_at": "2026-11-20T09:15:04.456Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Nft"][];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
                /**
                 * @description The id of a token, decimal
                 * @example 1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1",
                     *       "is_confirmed": true,
                     *       "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
                     *       "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *       "metadata": {
                     *         "name": "Row 1, seat 7",
                     *         "description": null,
                     *         "image": "https://images.example.com/seat.png",
                     *         "image_preview": null,
                     *         "image_thumbnail": null,
                     *         "background_color": "#0B1F3A",
                     *         "animation_url": null,
                     *         "youtube_url": null,
                     *         "attributes": [
                     *           {
                     *             "trait_type": "seat",
                     *             "value": "7",
                     *             "display_type": null
                     *           }
                     *         ]
                     *       },
                     *       "status": "confirmed",
                     *       "created_at": "2026-11-20T09:15:04.456Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Nft"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    setTokenDestination: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: a request with the same key and the same body returns what the first request created, in its current state. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
                /**
                 * @description The id of a token, decimal
                 * @example 1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "destination": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
                 *     }
                 */
                "application/json": components["schemas"]["DestinationRequest"];
            };
        };
        responses: {
            /** @description The token */
            200: {
                headers: {
                    /**
                     * @description `true` if the response is the result of an earlier request with the same `Idempotency-Key`, in its current state. Otherwise absent
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1",
                     *       "is_confirmed": true,
                     *       "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
                     *       "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *       "metadata": {
                     *         "name": "Row 1, seat 7",
                     *         "description": null,
                     *         "image": "https://images.example.com/seat.png",
                     *         "image_preview": null,
                     *         "image_thumbnail": null,
                     *         "background_color": "#0B1F3A",
                     *         "animation_url": null,
                     *         "youtube_url": null,
                     *         "attributes": [
                     *           {
                     *             "trait_type": "seat",
                     *             "value": "7",
                     *             "display_type": null
                     *           }
                     *         ]
                     *       },
                     *       "status": "confirmed",
                     *       "created_at": "2026-11-20T09:15:04.456Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Nft"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["UserNotFound"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The idempotency key was already used with a different body, or this single request exceeds the daily limit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getTokenHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
                /**
                 * @description The id of a token, decimal
                 * @example 1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The history */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "known_from": "2026-11-20T09:15:04.456Z",
                     *       "history": [
                     *         {
                     *           "at": "2026-11-20T09:15:04.456Z",
                     *           "what": "reserved",
                     *           "to": "b0c1d2e3f405162738495a6b7c8d9e0f"
                     *         },
                     *         {
                     *           "at": "2026-11-21T18:00:12.345Z",
                     *           "what": "given",
                     *           "from": "b0c1d2e3f405162738495a6b7c8d9e0f",
                     *           "to": "0f9e8d7c6b5a49382716050403020100"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TokenHistory"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    updateTokenMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: a request with the same key and the same body returns what the first request created, in its current state. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
                /**
                 * @description The id of a token, decimal
                 * @example 1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Row 1, seat 7",
                 *       "image": "https://images.example.com/seat.png",
                 *       "background_color": "#0B1F3A",
                 *       "attributes": [
                 *         {
                 *           "trait_type": "seat",
                 *           "value": "7"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NftMetadataRequest"];
            };
        };
        responses: {
            /** @description The token */
            200: {
                headers: {
                    /**
                     * @description `true` if the response is the result of an earlier request with the same `Idempotency-Key`, in its current state. Otherwise absent
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1",
                     *       "is_confirmed": true,
                     *       "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
                     *       "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *       "metadata": {
                     *         "name": "Row 1, seat 7",
                     *         "description": null,
                     *         "image": "https://images.example.com/seat.png",
                     *         "image_preview": null,
                     *         "image_thumbnail": null,
                     *         "background_color": "#0B1F3A",
                     *         "animation_url": null,
                     *         "youtube_url": null,
                     *         "attributes": [
                     *           {
                     *             "trait_type": "seat",
                     *             "value": "7",
                     *             "display_type": null
                     *           }
                     *         ]
                     *       },
                     *       "status": "confirmed",
                     *       "created_at": "2026-11-20T09:15:04.456Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Nft"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The idempotency key was already used with a different body, or this single request exceeds the daily limit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getTokenOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
                /**
                 * @description The id of a token, decimal
                 * @example 1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The owner */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "owner": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *       "block_number": 79120345,
                     *       "as_of": "2026-11-20T09:15:04.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenOwner"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: a request with the same key and the same body returns what the first request created, in its current state. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
                /**
                 * @description The id of a token, decimal
                 * @example 1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token */
            200: {
                headers: {
                    /**
                     * @description `true` if the response is the result of an earlier request with the same `Idempotency-Key`, in its current state. Otherwise absent
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1",
                     *       "is_confirmed": true,
                     *       "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
                     *       "destinationn": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *       "metadata": {
                     *         "name": "Row 1, seat 7",
                     *         "description": null,
                     *         "image": "https://images.example.com/seat.png",
                     *         "image_preview": null,
                     *         "image_thumbnail": null,
                     *         "background_color": "#0B1F3A",
                     *         "animation_url": null,
                     *         "youtube_url": null,
                     *         "attributes": [
                     *           {
                     *             "trait_type": "seat",
                     *             "value": "7",
                     *             "display_type": null
                     *           }
                     *         ]
                     *       },
                     *       "status": "confirmed",
                     *       "created_at": "2026-11-20T09:15:04.456Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Nft"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The idempotency key was already used with a different body, or this single request exceeds the daily limit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    voidToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
                /**
                 * @description The id of a token, decimal
                 * @example 1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "contract_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
                     *       "id": "1",
                     *       "voided_at": "2026-05-29T09:01:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VoidToken"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    unvoidToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
                /**
                 * @description The id of a token, decimal
                 * @example 1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token is not void */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listCatalogue: {
        parameters: {
            query?: {
                /** @description Where the page begins: a value from the `Link` header of the previous page */
                cursor?: string;
                /** @description The maximum number of entries on a page; 50 if left out */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
            200: {
                headers: {
                    /**
                     * @description The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page
                     * @example <https://api.example.com/api/v1/nft/contracts/?limit=50&cursor=Zm9v>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "event_id": "training-session",
                     *         "title": "Open training session",
                     *         "description": "The team trains; the cameras are on.",
                     *         "status": "LIVE",
                     *         "access": "free",
                     *         "starts_at": "2026-05-29T09:00:00.000Z",
                     *         "ends_at": null,
                     *         "image": null,
                     *         "categories": [
                     *           "football",
                     *           "behind-the-scenes"
                     *         ],
                     *         "stream": {
                     *           "type": "hls",
                     *           "url": "https://streams.example.com/training-session/index.m3u8"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CatalogueEvent"][];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getCatalogueEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an event
                 * @example training-session
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event */
            200: {
                headers: {
                    /**
                     * @description The version of the event, which changes with each change. Use it in `If-Match`
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_id": "training-session",
                     *       "title": "Open training session",
                     *       "description": "The team trains; the cameras are on.",
                     *       "status": "LIVE",
                     *       "access": "free",
                     *       "starts_at": "2026-05-29T09:00:00.000Z",
                     *       "ends_at": null,
                     *       "image": null,
                     *       "categories": [
                     *         "football",
                     *         "behind-the-scenes"
                     *       ],
                     *       "stream": {
                     *         "type": "hls",
                     *         "url": "https://streams.example.com/training-session/index.m3u8"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CatalogueEvent"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    putCatalogueEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The entity tag that was read, so that nobody else’s change is lost; or `*` for any existing event. Either this or `If-None-Match` is required */
                "If-Match"?: string;
                /** @description Only create the event */
                "If-None-Match"?: "*";
            };
            path: {
                /**
                 * @description The id of an event
                 * @example training-session
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event_id": "training-session",
                 *       "title": "Open training session",
                 *       "status": "UPCOMING",
                 *       "access": "free",
                 *       "starts_at": "2026-05-29T11:00:00+02:00",
                 *       "categories": [
                 *         "football",
                 *         "behind-the-scenes"
                 *       ],
                 *       "stream": {
                 *         "type": "hls",
                 *         "url": "https://streams.example.com/training-session/index.m3u8"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CatalogueEventRequest"];
            };
        };
        responses: {
            /** @description The event after the change, or as it stays */
            200: {
                headers: {
                    /**
                     * @description The version of the event, which changes with each change. Use it in `If-Match`
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_id": "training-session",
                     *       "title": "Open training session",
                     *       "description": "The team trains; the cameras are on.",
                     *       "status": "LIVE",
                     *       "access": "free",
                     *       "starts_at": "2026-05-29T09:00:00.000Z",
                     *       "ends_at": null,
                     *       "image": null,
                     *       "categories": [
                     *         "football",
                     *         "behind-the-scenes"
                     *       ],
                     *       "stream": {
                     *         "type": "hls",
                     *         "url": "https://streams.example.com/training-session/index.m3u8"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CatalogueEvent"];
                };
            };
            /** @description The event that was created */
            201: {
                headers: {
                    /**
                     * @description The version of the event, which changes with each change. Use it in `If-Match`
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_id": "training-session",
                     *       "title": "Open training session",
                     *       "description": "The team trains; the cameras are on.",
                     *       "status": "LIVE",
                     *       "access": "free",
                     *       "starts_at": "2026-05-29T09:00:00.000Z",
                     *       "ends_at": null,
                     *       "image": null,
                     *       "categories": [
                     *         "football",
                     *         "behind-the-scenes"
                     *       ],
                     *       "stream": {
                     *         "type": "hls",
                     *         "url": "https://streams.example.com/training-session/index.m3u8"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CatalogueEvent"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The precondition of the request does not hold */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The call needs a precondition */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    deleteCatalogueEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The entity tag that was read, so that nobody else’s change is lost; or `*` for any existing event. Optional */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of an event
                 * @example training-session
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event is deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The precondition of the request does not hold */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    setCatalogueStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description The entity tag that was read, so that nobody else’s change is lost; or `*` for any existing event. Optional */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of an event
                 * @example training-session
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "CANCELLED"
                 *     }
                 */
                "application/json": components["schemas"]["EventStatusRequest"];
            };
        };
        responses: {
            /** @description The event with its new status */
            200: {
                headers: {
                    /**
                     * @description The version of the event, which changes with each change. Use it in `If-Match`
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_id": "training-session",
                     *       "title": "Open training session",
                     *       "description": "The team trains; the cameras are on.",
                     *       "status": "LIVE",
                     *       "access": "free",
                     *       "starts_at": "2026-05-29T09:00:00.000Z",
                     *       "ends_at": null,
                     *       "image": null,
                     *       "categories": [
                     *         "football",
                     *         "behind-the-scenes"
                     *       ],
                     *       "stream": {
                     *         "type": "hls",
                     *         "url": "https://streams.example.com/training-session/index.m3u8"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CatalogueEvent"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The precondition of the request does not hold */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                access?: "free" | "paid";
                /** @description Only events with this category */
                category?: string;
                /** @description Where the page begins: a value from the `Link` header of the previous page */
                cursor?: string;
                /** @description Earliest start, inclusive */
                from?: string;
                /** @description The maximum number of entries on a page; 50 if left out */
                limit?: number;
                status?: "UPCOMING" | "LIVE" | "FINISHED" | "VOD" | "CANCELLED";
                /** @description Latest start, exclusive */
                to?: string;
            };
            header?: {
                /** @description The client whose rules and geoblocking apply. Not needed with an access token, which names its client. */
                "x-client-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
            200: {
                headers: {
                    /**
                     * @description The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page
                     * @example <https://api.example.com/api/v1/nft/contracts/?limit=50&cursor=Zm9v>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "event_id": "training-session",
                     *         "title": "Open training session",
                     *         "description": "The team trains; the cameras are on.",
                     *         "status": "LIVE",
                     *         "access": "free",
                     *         "starts_at": "2026-05-29T09:00:00.000Z",
                     *         "ends_at": null,
                     *         "image": null,
                     *         "categories": [
                     *           "football",
                     *           "behind-the-scenes"
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Event"][];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The client whose rules and geoblocking apply. Not needed with an access token, which names its client. */
                "x-client-id"?: string;
            };
            path: {
                /**
                 * @description The id of an event
                 * @example training-session
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_id": "training-session",
                     *       "title": "Open training session",
                     *       "description": "The team trains; the cameras are on.",
                     *       "status": "LIVE",
                     *       "access": "free",
                     *       "starts_at": "2026-05-29T09:00:00.000Z",
                     *       "ends_at": null,
                     *       "image": null,
                     *       "categories": [
                     *         "football",
                     *         "behind-the-scenes"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getStream: {
        parameters: {
            query?: {
                /**
                 * @description The `continuation` of the last response for this session. Without it, a call can only begin a session
                 * @example mZr1uVb3Q0eXbS1T
                 */
                continuation?: string;
                /**
                 * @description A UUID that the page makes and keeps for its tab. Required where the application, the seller of the access or the issuer of the event’s tickets limits a viewer’s streams; otherwise ignored.
                 * @example 3f0c6c1e-52a0-4d4c-9d52-0a2f5a3f1e11
                 */
                session?: string;
                /** @description After `TOO_MANY_STREAMS`: the id of the viewer’s other session that this session takes over */
                take_over?: string;
            };
            header?: {
                /** @description The client whose rules and geoblocking apply. Not needed with an access token, which names its client. */
                "x-client-id"?: string;
            };
            path: {
                /**
                 * @description The id of an event
                 * @example training-session
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream */
            200: {
                headers: {
                    /**
                     * @description The signed cookies that give access to the stream, if the stage signs streams with cookies
                     * @example CloudFront-Policy=eyJTd…; Path=/; Secure; HttpOnly; SameSite=None
                     */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_id": "training-session",
                     *       "type": "hls",
                     *       "url": "https://streams.example.com/training-session/index.m3u8",
                     *       "expires_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Stream"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"] | components["schemas"]["Error"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    endStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description The client whose rules and geoblocking apply. Not needed with an access token, which names its client. */
                "x-client-id"?: string;
            };
            path: {
                /**
                 * @description The id of an event
                 * @example training-session
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session": "3f0c6c1e-52a0-4d4c-9d52-0a2f5a3f1e11"
                 *     }
                 */
                "application/json": components["schemas"]["EndedStream"];
            };
        };
        responses: {
            /** @description The session has ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description Where the page begins: a value from the `Link` header of the previous page */
                cursor?: string;
                /** @description Published at or after this time */
                from?: string;
                /** @description The maximum number of entries on a page; 50 if left out */
                limit?: number;
                operation_type?: "data_update" | "contract_update" | "token_update" | "event_update" | "test";
                status?: "published" | "delivered" | "failed";
                /** @description Published before this time */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of notifications */
            200: {
                headers: {
                    /**
                     * @description The URL of the next page. Absent on the last page
                     * @example <https://api.example.com/api/v1/nft/contracts/?limit=50&cursor=Zm9v>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "b1946ac9-2492-4d23-9f4b-6f6ac2d3c2a1",
                     *         "operation_type": "data_update",
                     *         "application_user_sub": "9f0c2b4e6a514c1e8f0a3f3de1d6a2c7",
                     *         "date_time": "2026-11-20T09:15:02.123456",
                     *         "published_at": "2026-11-20T09:15:02.300Z",
                     *         "status": "published",
                     *         "deliveries": []
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SentNotification"][];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listNotificationEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "5f1d0c9ae27b4830",
                     *         "address": "https://club.example.com/notify",
                     *         "form": "raw",
                     *         "operation_types": [
                     *           "data_update"
                     *         ],
                     *         "state": "confirmed",
                     *         "last_success_at": "2026-11-20T09:15:02.456Z",
                     *         "last_failure": null,
                     *         "failing_since": null,
                     *         "redelivery": null,
                     *         "failed_last_24_hours": 0,
                     *         "failed_not_redriven": 0
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NotificationEndpoint"][];
                };
            };
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    startReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: a request with the same key and the same body returns the replay that the first request started */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-11-20T09:00:00Z",
                 *       "to": "2026-11-20T10:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        responses: {
            /** @description The replay, which continues in the background */
            202: {
                headers: {
                    /**
                     * @description `true` if the response is the result of an earlier request with the same `Idempotency-Key`, in its current state. Otherwise absent
                     * @example true
                     */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3b5e6f4a9c1d4e0f8a7b6c5d4e3f2a1b",
                     *       "from": "2026-11-20T09:00:00.000Z",
                     *       "to": "2026-11-20T10:00:00.000Z",
                     *       "status": null,
                     *       "endpoint_id": null,
                     *       "state": "running",
                     *       "looked_at": 0,
                     *       "published": 0,
                     *       "started_at": "2026-11-20T10:02:11.123Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"] | components["schemas"]["Error"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["RequestTooLarge"];
            /** @description The idempotency key was already used with a different body, or this single request exceeds the daily limit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 3b5e6f4a9c1d4e0f8a7b6c5d4e3f2a1b */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3b5e6f4a9c1d4e0f8a7b6c5d4e3f2a1b",
                     *       "from": "2026-11-20T09:00:00.000Z",
                     *       "to": "2026-11-20T10:00:00.000Z",
                     *       "status": null,
                     *       "endpoint_id": null,
                     *       "state": "running",
                     *       "looked_at": 0,
                     *       "published": 0,
                     *       "started_at": "2026-11-20T10:02:11.123Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    sendTestNotification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["TestRequest"];
            };
        };
        responses: {
            /** @description The notification that was sent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "b1946ac9-2492-4d23-9f4b-6f6ac2d3c2a1",
                     *       "operation_type": "data_update",
                     *       "application_user_sub": "9f0c2b4e6a514c1e8f0a3f3de1d6a2c7",
                     *       "date_time": "2026-11-20T09:15:02.123456",
                     *       "published_at": "2026-11-20T09:15:02.300Z",
                     *       "status": "published",
                     *       "deliveries": []
                     *     }
                     */
                    "application/json": components["schemas"]["SentNotification"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"] | components["schemas"]["Error"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["RequestTooLarge"];
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document of all three APIs */
            200: {
                headers: {
                    /**
                     * @description How long the document may be cached
                     * @example public, max-age=60
                     */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.1",
                     *       "info": {
                     *         "title": "Marquee",
                     *         "version": "1"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    readUserData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "application_user_sub": "9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7"
                 *     }
                 */
                "application/json": components["schemas"]["ApplicationUserSub"];
            };
        };
        responses: {
            /** @description All data of the user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "application_user_sub": "9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7",
                     *       "user_data": {
                     *         "email": "ana@example.com",
                     *         "is_club": "yes",
                     *         "club_id": "7"
                     *       },
                     *       "user_agreements": []
                     *     }
                     */
                    "application/json": components["schemas"]["ApplicationUser"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"];
                };
            };
            413: components["responses"]["RequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    readUserDataBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "application_user_subs": [
                 *         "9f0c2b4e6a514c1e8f0a3f3de1d6a2c7",
                 *         "00000000000000000000000000000000"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ApplicationUserSubs"];
            };
        };
        responses: {
            /** @description One entry for each identifier, in the order of the request: all data of the user, or the reason why it is missing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "application_user_sub": "9f0c2b4e6a514c1e8f0a3f3de1d6a2c7",
                     *         "user_data": {
                     *           "email": "ana@example.com",
                     *           "is_club": "yes",
                     *           "club_id": "7"
                     *         },
                     *         "user_agreements": []
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ApplicationUserEntry"][];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["Forbidden"];
            413: components["responses"]["RequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getUserData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All data of the user */
            200: {
                headers: {
                    /**
                     * @description The version of the data, which changes with each change. Use it in `If-Match`
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_data": {
                     *         "email": "ana@example.com",
                     *         "is_club": "yes",
                     *         "club_id": "7"
                     *       },
                     *       "user_agreements": []
                     *     }
                     */
                    "application/json": components["schemas"]["UserData"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    putUserData: {
        parameters: {
            query?: never;
            header?: {
                /** @description A list of entity tags, one of which must be the data’s current tag; or `*` for any existing data */
                "If-Match"?: string;
                /** @description Only register a new user; do not change an existing user */
                "If-None-Match"?: "*";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_data": {
                 *         "email": "ana@example.com",
                 *         "is_club": "yes",
                 *         "club_id": "7"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UserDataChange"];
            };
        };
        responses: {
            /** @description All data after the change */
            200: {
                headers: {
                    /**
                     * @description The version of the data, which changes with each change. Use it in `If-Match`
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_data": {
                     *         "email": "ana@example.com",
                     *         "is_club": "yes",
                     *         "club_id": "7"
                     *       },
                     *       "user_agreements": []
                     *     }
                     */
                    "application/json": components["schemas"]["UserData"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FieldNotWritable"] | components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The precondition of the request does not hold */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    eraseUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is not registered */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    previewErasure: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What would go, and what would stay */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "registered_at": "2026-05-04T08:30:00.000Z",
                     *       "user_data": [
                     *         "email"
                     *       ],
                     *       "user_agreements": 1,
                     *       "wallets": 1,
                     *       "applications": [
                     *         {
                     *           "name": "Arena",
                     *           "is_notified": true,
                     *           "reserved_tokens": 2,
                     *           "claimed_tokens": 1
                     *         }
                     *       ],
                     *       "stays": [
                     *         {
                     *           "what": "removal",
                     *           "days": 32
                     *         },
                     *         {
                     *           "what": "tokens_on_chain",
                     *           "days": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ErasurePreview"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    exportUser: {
        parameters: {
            query?: {
                /** @description Where the page begins: a value from the `Link` header of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the export */
            200: {
                headers: {
                    /**
                     * @description The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page
                     * @example <https://api.example.com/api/v1/nft/contracts/?limit=50&cursor=Zm9v>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_sub": "ana",
                     *       "registered_at": "2026-05-04T08:30:00.000Z",
                     *       "changed_at": "2026-11-20T09:15:02.123Z",
                     *       "user_data": {
                     *         "email": "ana@example.com"
                     *       },
                     *       "user_agreements": [],
                     *       "applications": [
                     *         {
                     *           "name": "The football club",
                     *           "application_user_sub": "b0c1d2e3f405162738495a6b7c8d9e0f",
                     *           "is_linked": true
                     *         }
                     *       ],
                     *       "wallets": [
                     *         {
                     *           "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *           "linked_at": "2026-05-29T09:01:12.000Z",
                     *           "proven_at": "2026-05-29T09:01:02.000Z",
                     *           "gives_access_from": "2026-05-29T09:01:12.000Z"
                     *         }
                     *       ],
                     *       "sessions": {
                     *         "playing": [
                     *           {
                     *             "session": "6f1e0c9d-2b3a-4867-9c0e-1d2f3a4b5c6d",
                     *             "event_id": "cup-final",
                     *             "applications": [
                     *               "The football club"
                     *             ],
                     *             "began_at": "2026-11-20T19:58:04.000Z",
                     *             "renewed_at": "2026-11-20T20:03:04.000Z",
                     *             "ends_at": "2026-11-20T20:08:04.000Z"
                     *           }
                     *         ],
                     *         "taken_over": [
                     *           {
                     *             "session": "0c9d2b3a-4867-4c0e-9d2f-3a4b5c6d6f1e",
                     *             "refused_until": "2026-11-20T20:58:04.000Z"
                     *           }
                     *         ],
                     *         "ended_early_at": [],
                     *         "moved_at": [],
                     *         "repeated_at": [],
                     *         "today": {
                     *           "day": "2026-11-20",
                     *           "applications": [
                     *             "The football club"
                     *           ],
                     *           "begun": 1,
                     *           "ended": 0,
                     *           "taken_over": 0,
                     *           "refused": 0,
                     *           "addresses": 1
                     *         }
                     *       },
                     *       "counts": [
                     *         {
                     *           "what": "changes",
                     *           "since": "2026-11-20T09:15:02.123Z",
                     *           "count": 1
                     *         }
                     *       ],
                     *       "tokens": [
                     *         {
                     *           "application": "The football club",
                     *           "contract_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
                     *           "id": "7",
                     *           "known_from": "2026-11-20T09:15:04.456Z",
                     *           "history": [
                     *             {
                     *               "at": "2026-11-20T09:15:04.456Z",
                     *               "what": "reserved",
                     *               "to": "b0c1d2e3f405162738495a6b7c8d9e0f"
                     *             },
                     *             {
                     *               "at": "2026-11-21T18:00:12.345Z",
                     *               "what": "given",
                     *               "from": "b0c1d2e3f405162738495a6b7c8d9e0f",
                     *               "to": null
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UserExport"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getApplicationUserSub: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identifier */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "application_user_sub": "9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7"
                     *     }
                     */
                    "application/json": components["schemas"]["ApplicationUserSub"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    postApplicationUserSub: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identifier */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "application_user_sub": "9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7"
                     *     }
                     */
                    "application/json": components["schemas"]["ApplicationUserSub"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listUserTokens: {
        parameters: {
            query?: {
                /** @description Where the page begins: a value from the `Link` header of the previous page */
                cursor?: string;
                /** @description The maximum number of entries on a page; 50 if left out */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tokens */
            200: {
                headers: {
                    /**
                     * @description The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page
                     * @example <https://api.example.com/api/v1/nft/contracts/?limit=50&cursor=Zm9v>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "contract_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
                     *         "id": "7",
                     *         "is_confirmed": false,
                     *         "transaction_hash": "",
                     *         "destinationn": "",
                     *         "metadata": {
                     *           "name": "Row 1, seat 7",
                     *           "description": null,
                     *           "image": "https://images.example.com/seat.png",
                     *           "image_preview": null,
                     *           "image_thumbnail": null,
                     *           "background_color": "#0B1F3A",
                     *           "animation_url": null,
                     *           "youtube_url": null,
                     *           "attributes": [
                     *             {
                     *               "trait_type": "seat",
                     *               "value": "7",
                     *               "display_type": null
                     *             }
                     *           ]
                     *         },
                     *         "status": "reserved",
                     *         "created_at": "2026-11-20T09:15:04.456Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["UserToken"][];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getOwnTokenHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
                /**
                 * @description The id of a token, decimal
                 * @example 1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The history */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "known_from": "2026-11-20T09:15:04.456Z",
                     *       "history": [
                     *         {
                     *           "at": "2026-11-20T09:15:04.456Z",
                     *           "what": "reserved",
                     *           "to": "b0c1d2e3f405162738495a6b7c8d9e0f"
                     *         },
                     *         {
                     *           "at": "2026-11-21T18:00:12.345Z",
                     *           "what": "given",
                     *           "from": "b0c1d2e3f405162738495a6b7c8d9e0f",
                     *           "to": "0f9e8d7c6b5a49382716050403020100"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TokenHistory"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"] | components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    claimToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of one of your contracts
                 * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
                 */
                contract_address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                 *       "id": "7"
                 *     }
                 */
                "application/json": components["schemas"]["ClaimRequest"];
            };
        };
        responses: {
            /** @description The token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "contract_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
                     *       "id": "7",
                     *       "is_confirmed": false,
                     *       "transaction_hash": "",
                     *       "destinationn": "",
                     *       "metadata": {
                     *         "name": "Row 1, seat 7",
                     *         "description": null,
                     *         "image": "https://images.example.com/seat.png",
                     *         "image_preview": null,
                     *         "image_thumbnail": null,
                     *         "background_color": "#0B1F3A",
                     *         "animation_url": null,
                     *         "youtube_url": null,
                     *         "attributes": [
                     *           {
                     *             "trait_type": "seat",
                     *             "value": "7",
                     *             "display_type": null
                     *           }
                     *         ]
                     *       },
                     *       "status": "reserved",
                     *       "created_at": "2026-11-20T09:15:04.456Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserToken"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"] | components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The idempotency key was already used with a different body, or this single request exceeds the daily limit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listWallets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *         "linked_at": "2026-05-29T09:01:12.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Wallet"][];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    linkWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of a wallet
                 * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "challenge_id": "5f1e0c9d2b3a48679c0e1d2f3a4b5c6d",
                 *       "signature": "0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
                 *     }
                 */
                "application/json": components["schemas"]["WalletProof"];
            };
        };
        responses: {
            /** @description The wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                     *       "linked_at": "2026-05-29T09:01:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    unlinkWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of a wallet
                 * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet is not linked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"];
                };
            };
            /** @description The present state does not allow the request */
            409: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createWalletChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                 *       "origin": "https://fans.example.com"
                 *     }
                 */
                "application/json": components["schemas"]["WalletChallengeRequest"];
            };
        };
        responses: {
            /** @description The message */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "challenge_id": "5f1e0c9d2b3a48679c0e1d2f3a4b5c6d",
                     *       "message": "fans.example.com wants you to sign in with your Ethereum account: …",
                     *       "expires_at": "2026-05-29T09:10:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WalletChallenge"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequest"];
                };
            };
            /** @description The access token is missing or invalid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The resource does not exist, or is hidden from the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, or the daily limit is reached */
            429: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            /** @description A required service is unavailable; retry later */
            503: {
                headers: {
                    /**
                     * @description The number of seconds after which a retry may succeed. Not always set
                     * @example 10
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            504: components["responses"]["GatewayTimeout"];
        };
    };
    exchangeUserSubs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_subs": [
                 *         "ana",
                 *         "nobody"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UserSubs"];
            };
        };
        responses: {
            /** @description One identifier for each user, in the order of the request; null for a user who is unknown or not in the application’s audience */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_subs": [
                     *         {
                     *           "user_sub": "ana",
                     *           "application_user_sub": "9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7"
                     *         },
                     *         {
                     *           "user_sub": "nobody",
                     *           "application_user_sub": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ExchangedUserSubs"];
                };
            };
            /** @description The request is not as documented; nothing was changed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["Forbidden"];
            413: components["responses"]["RequestTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    onChainNotification: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The id of the message. It is the same in every retry
                 * @example 165545c9-2a5c-472c-8df2-7ff2be2b3b1b
                 */
                "x-amz-sns-message-id"?: string;
                /**
                 * @description The type of the message. The local runtime also sends it as `x-notify-message-type`
                 * @example Notification
                 */
                "x-amz-sns-message-type"?: string;
                /**
                 * @description `true` if the message is bare; absent if it is enveloped
                 * @example true
                 */
                "x-amz-sns-rawdelivery"?: string;
                /**
                 * @description The topic that the operator gave you
                 * @example arn:aws:sns:eu-central-1:123456789012:marquee-changes
                 */
                "x-amz-sns-topic-arn"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "operation_type": "token_update",
                 *       "contract_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
                 *       "id": "1",
                 *       "status": "confirmed",
                 *       "transaction_hash": "0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b",
                 *       "date_time": "2026-11-20T09:15:08.123000"
                 *     }
                 */
                "text/plain; charset=UTF-8": components["schemas"]["ChainNotification"];
            };
        };
        responses: {
            /** @description Any 2xx status: the message counts as delivered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any 3xx status, and any 4xx status except 429: the message is not retried. SNS follows no redirect. The message is sent again later */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any 5xx status, 429, a timeout after 15 seconds or a closed connection: the message is retried. If the last retry fails, too, the message is moved to the dead-letter queue */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEnvelopedNotification: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The id of the message. It is the same in every retry
                 * @example 165545c9-2a5c-472c-8df2-7ff2be2b3b1b
                 */
                "x-amz-sns-message-id"?: string;
                /**
                 * @description The type of the message. The local runtime also sends it as `x-notify-message-type`
                 * @example Notification
                 */
                "x-amz-sns-message-type"?: string;
                /**
                 * @description The topic that the operator gave you
                 * @example arn:aws:sns:eu-central-1:123456789012:marquee-changes
                 */
                "x-amz-sns-topic-arn"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Type": "Notification",
                 *       "Message": "{\"operation_type\":\"data_update\",\"application_user_sub\":\"9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7\",\"date_time\":\"2026-11-20T09:15:02.123456\"}",
                 *       "MessageId": "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
                 *       "TopicArn": "arn:aws:sns:eu-central-1:123456789012:marquee-changes",
                 *       "Timestamp": "2026-11-20T09:15:02.130Z",
                 *       "SignatureVersion": "2",
                 *       "Signature": "EXAMPLEpH+DcEwjAPg8O9mY8dReBSwksfg2S7WKQcikcNKWLQjwu6A4VbeS0QHVCkhRS7fUQvi2egU3N858fiTDN6bkk",
                 *       "SigningCertURL": "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-7506a1e35b36ef5a444dd1a8e7cc3ed8.pem"
                 *     }
                 */
                "text/plain; charset=UTF-8": components["schemas"]["EnvelopedNotification"];
            };
        };
        responses: {
            /** @description Any 2xx status: the message counts as delivered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any 3xx status, and any 4xx status except 429: the message is not retried. SNS follows no redirect. The message is sent again later */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any 5xx status, 429, a timeout after 15 seconds or a closed connection: the message is retried. If the last retry fails, too, the message is moved to the dead-letter queue */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEventNotification: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The id of the message. It is the same in every retry
                 * @example 165545c9-2a5c-472c-8df2-7ff2be2b3b1b
                 */
                "x-amz-sns-message-id"?: string;
                /**
                 * @description The type of the message. The local runtime also sends it as `x-notify-message-type`
                 * @example Notification
                 */
                "x-amz-sns-message-type"?: string;
                /**
                 * @description `true` if the message is bare; absent if it is enveloped
                 * @example true
                 */
                "x-amz-sns-rawdelivery"?: string;
                /**
                 * @description The topic that the operator gave you
                 * @example arn:aws:sns:eu-central-1:123456789012:marquee-changes
                 */
                "x-amz-sns-topic-arn"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "operation_type": "event_update",
                 *       "change": "status",
                 *       "event_id": "cup-final",
                 *       "status": "LIVE",
                 *       "date_time": "2026-11-20T20:00:04.000007"
                 *     }
                 */
                "text/plain; charset=UTF-8": components["schemas"]["EventNotification"];
            };
        };
        responses: {
            /** @description Any 2xx status: the message counts as delivered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any 3xx status, and any 4xx status except 429: the message is not retried. SNS follows no redirect. The message is sent again later */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any 5xx status, 429, a timeout after 15 seconds or a closed connection: the message is retried. If the last retry fails, too, the message is moved to the dead-letter queue */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onNotification: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The id of the message. It is the same in every retry
                 * @example 165545c9-2a5c-472c-8df2-7ff2be2b3b1b
                 */
                "x-amz-sns-message-id"?: string;
                /**
                 * @description The type of the message. The local runtime also sends it as `x-notify-message-type`
                 * @example Notification
                 */
                "x-amz-sns-message-type"?: string;
                /**
                 * @description `true` if the message is bare; absent if it is enveloped
                 * @example true
                 */
                "x-amz-sns-rawdelivery"?: string;
                /**
                 * @description The topic that the operator gave you
                 * @example arn:aws:sns:eu-central-1:123456789012:marquee-changes
                 */
                "x-amz-sns-topic-arn"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "operation_type": "data_update",
                 *       "application_user_sub": "9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7",
                 *       "date_time": "2026-11-20T09:15:02.123456"
                 *     }
                 */
                "text/plain; charset=UTF-8": components["schemas"]["Notification"];
            };
        };
        responses: {
            /** @description Any 2xx status: the message counts as delivered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any 3xx status, and any 4xx status except 429: the message is not retried. SNS follows no redirect. The message is sent again later */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any 5xx status, 429, a timeout after 15 seconds or a closed connection: the message is retried. If the last retry fails, too, the message is moved to the dead-letter queue */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubscriptionConfirmation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The id of the message. It is the same in every retry
                 * @example 165545c9-2a5c-472c-8df2-7ff2be2b3b1b
                 */
                "x-amz-sns-message-id"?: string;
                /**
                 * @description The type of the message. The local runtime also sends it as `x-notify-message-type`
                 * @example SubscriptionConfirmation
                 */
                "x-amz-sns-message-type"?: string;
                /**
                 * @description The topic that the operator gave you
                 * @example arn:aws:sns:eu-central-1:123456789012:marquee-changes
                 */
                "x-amz-sns-topic-arn"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Type": "SubscriptionConfirmation",
                 *       "Token": "2336412f37",
                 *       "Message": "You have chosen to subscribe to the topic arn:aws:sns:eu-central-1:123456789012:marquee-changes.",
                 *       "SubscribeURL": "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-central-1:123456789012:marquee-changes&Token=2336412f37",
                 *       "MessageId": "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
                 *       "TopicArn": "arn:aws:sns:eu-central-1:123456789012:marquee-changes",
                 *       "Timestamp": "2026-11-20T09:15:02.130Z",
                 *       "SignatureVersion": "2",
                 *       "Signature": "EXAMPLEpH+DcEwjAPg8O9mY8dReBSwksfg2S7WKQcikcNKWLQjwu6A4VbeS0QHVCkhRS7fUQvi2egU3N858fiTDN6bkk",
                 *       "SigningCertURL": "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-7506a1e35b36ef5a444dd1a8e7cc3ed8.pem"
                 *     }
                 */
                "text/plain; charset=UTF-8": components["schemas"]["SubscriptionConfirmation"];
            };
        };
        responses: {
            /** @description Any 2xx status: the message counts as delivered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any 3xx status, and any 4xx status except 429: the message is not retried. SNS follows no redirect. The message is sent again later */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any 5xx status, 429, a timeout after 15 seconds or a closed connection: the message is retried. If the last retry fails, too, the message is moved to the dead-letter queue */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUnsubscribeConfirmation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The id of the message. It is the same in every retry
                 * @example 165545c9-2a5c-472c-8df2-7ff2be2b3b1b
                 */
                "x-amz-sns-message-id"?: string;
                /**
                 * @description The type of the message. The local runtime also sends it as `x-notify-message-type`
                 * @example UnsubscribeConfirmation
                 */
                "x-amz-sns-message-type"?: string;
                /**
                 * @description The topic that the operator gave you
                 * @example arn:aws:sns:eu-central-1:123456789012:marquee-changes
                 */
                "x-amz-sns-topic-arn"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Type": "UnsubscribeConfirmation",
                 *       "Token": "2336412f37",
                 *       "Message": "You have chosen to deactivate subscription arn:aws:sns:eu-central-1:123456789012:marquee-changes:2bcfbf39-05c3-41de-beaa-fcfcc21c8f55.",
                 *       "SubscribeURL": "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-central-1:123456789012:marquee-changes&Token=2336412f37",
                 *       "MessageId": "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
                 *       "TopicArn": "arn:aws:sns:eu-central-1:123456789012:marquee-changes",
                 *       "Timestamp": "2026-11-20T09:15:02.130Z",
                 *       "SignatureVersion": "2",
                 *       "Signature": "EXAMPLEpH+DcEwjAPg8O9mY8dReBSwksfg2S7WKQcikcNKWLQjwu6A4VbeS0QHVCkhRS7fUQvi2egU3N858fiTDN6bkk",
                 *       "SigningCertURL": "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-7506a1e35b36ef5a444dd1a8e7cc3ed8.pem"
                 *     }
                 */
                "text/plain; charset=UTF-8": components["schemas"]["UnsubscribeConfirmation"];
            };
        };
        responses: {
            /** @description Any 2xx status: the message counts as delivered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any 3xx status, and any 4xx status except 429: the message is not retried. SNS follows no redirect. The message is sent again later */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any 5xx status, 429, a timeout after 15 seconds or a closed connection: the message is retried. If the last retry fails, too, the message is moved to the dead-letter queue */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
