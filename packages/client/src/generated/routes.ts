/** By path, then method: which API it belongs to, how a caller is known, and whether it takes an idempotency key. */
export const routes = {
  "/api/v1/nft/contracts/": {
    "GET": "base apiKey",
    "POST": "base apiKey idempotent"
  },
  "/api/v1/nft/contracts/{contract_address}": {
    "GET": "base apiKey"
  },
  "/api/v1/nft/contracts/{contract_address}/mint": {
    "POST": "base apiKey idempotent"
  },
  "/api/v1/nft/contracts/{contract_address}/mint/batch": {
    "POST": "base apiKey idempotent"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/": {
    "GET": "base apiKey"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}/metadata": {
    "PUT": "base apiKey idempotent"
  },
  "/api/v1/nft/contracts/{contract_address}/metadata/batch": {
    "PUT": "base apiKey idempotent"
  },
  "/api/v1/nft/contracts/{contract_address}/metadata": {
    "GET": "base none",
    "PUT": "base apiKey idempotent"
  },
  "/api/v1/nft/contracts/{contract_address}/royalty": {
    "PUT": "base apiKey idempotent"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}/revoke": {
    "POST": "base apiKey idempotent"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}/destination": {
    "PUT": "base apiKey idempotent"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}": {
    "GET": "base apiKey"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}/owner": {
    "GET": "base apiKey"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}/void": {
    "PUT": "base apiKey",
    "DELETE": "base apiKey"
  },
  "/api/v1/nft/contracts/{contract_address}/metadata/{id}": {
    "GET": "base none"
  },
  "/user/data": {
    "GET": "profile accessToken",
    "PUT": "profile accessToken"
  },
  "/user/reporter/application-user-sub": {
    "GET": "profile accessToken",
    "POST": "profile accessToken"
  },
  "/user/wallets/challenges": {
    "POST": "profile accessToken"
  },
  "/user/wallets/{address}": {
    "PUT": "profile accessToken",
    "DELETE": "profile accessToken"
  },
  "/user/wallets": {
    "GET": "profile accessToken"
  },
  "/user/tokens": {
    "GET": "profile accessToken"
  },
  "/user/tokens/{contract_address}/claim": {
    "POST": "profile accessToken"
  },
  "/vendor/user-subs/get": {
    "POST": "b2b apiKey"
  },
  "/user-data/read": {
    "POST": "b2b apiKey"
  },
  "/user-data/read/batch": {
    "POST": "b2b apiKey"
  },
  "/notifications": {
    "GET": "b2b apiKey"
  },
  "/notifications/endpoints": {
    "GET": "b2b apiKey"
  },
  "/notifications/test": {
    "POST": "b2b apiKey"
  },
  "/notifications/replay": {
    "POST": "b2b apiKey idempotent"
  },
  "/notifications/replay/{id}": {
    "GET": "b2b apiKey"
  },
  "/api/v3/ott/events/": {
    "GET": "base accessToken"
  },
  "/api/v3/ott/events/{event_id}": {
    "GET": "base accessToken"
  },
  "/api/v3/ott/events/{event_id}/stream": {
    "GET": "base accessToken"
  },
  "/api/v3/ott/events/{event_id}/stream/end": {
    "POST": "base accessToken"
  },
  "/api/v3/ott/catalogue/": {
    "GET": "base apiKey"
  },
  "/api/v3/ott/catalogue/{event_id}": {
    "GET": "base apiKey",
    "PUT": "base apiKey",
    "DELETE": "base apiKey"
  },
  "/api/v3/ott/catalogue/{event_id}/status": {
    "PUT": "base apiKey"
  },
  "/openapi.json": {
    "GET": "base none"
  }
} as const;
