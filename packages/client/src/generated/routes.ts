/** By path, then method: which API it belongs to, how a caller is known, and whether it takes an idempotency key. */
export const routes = {
  "/api/v1/nft/contracts/": {
    "GET": "base key",
    "POST": "base key once"
  },
  "/api/v1/nft/contracts/{contract_address}": {
    "GET": "base key"
  },
  "/api/v1/nft/contracts/{contract_address}/mint": {
    "POST": "base key once"
  },
  "/api/v1/nft/contracts/{contract_address}/mint/batch": {
    "POST": "base key once"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/": {
    "GET": "base key"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}/metadata": {
    "PUT": "base key once"
  },
  "/api/v1/nft/contracts/{contract_address}/metadata/batch": {
    "PUT": "base key once"
  },
  "/api/v1/nft/contracts/{contract_address}/metadata": {
    "GET": "base none",
    "PUT": "base key once"
  },
  "/api/v1/nft/contracts/{contract_address}/royalty": {
    "PUT": "base key once"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}/revoke": {
    "POST": "base key once"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}/destination": {
    "PUT": "base key once"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}": {
    "GET": "base key"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}/owner": {
    "GET": "base key"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}/history": {
    "GET": "base key"
  },
  "/api/v1/nft/contracts/{contract_address}/tokens/{id}/void": {
    "PUT": "base key",
    "DELETE": "base key"
  },
  "/api/v1/nft/contracts/{contract_address}/metadata/{id}": {
    "GET": "base none"
  },
  "/user/data": {
    "GET": "profile token",
    "PUT": "profile token",
    "DELETE": "profile token"
  },
  "/user/reporter/application-user-sub": {
    "GET": "profile token",
    "POST": "profile token"
  },
  "/user/export": {
    "GET": "profile token"
  },
  "/user/erasure": {
    "GET": "profile token"
  },
  "/user/wallets/challenges": {
    "POST": "profile token"
  },
  "/user/wallets/{address}": {
    "PUT": "profile token",
    "DELETE": "profile token"
  },
  "/user/wallets": {
    "GET": "profile token"
  },
  "/user/tokens": {
    "GET": "profile token"
  },
  "/user/tokens/{contract_address}/{id}/history": {
    "GET": "profile token"
  },
  "/user/tokens/{contract_address}/claim": {
    "POST": "profile token"
  },
  "/vendor/user-subs/get": {
    "POST": "b2b key"
  },
  "/user-data/read": {
    "POST": "b2b key"
  },
  "/user-data/read/batch": {
    "POST": "b2b key"
  },
  "/notifications": {
    "GET": "b2b key"
  },
  "/notifications/endpoints": {
    "GET": "b2b key"
  },
  "/notifications/test": {
    "POST": "b2b key"
  },
  "/notifications/replay": {
    "POST": "b2b key once"
  },
  "/notifications/replay/{id}": {
    "GET": "b2b key"
  },
  "/api/v3/ott/events/": {
    "GET": "base token"
  },
  "/api/v3/ott/events/{event_id}": {
    "GET": "base token"
  },
  "/api/v3/ott/events/{event_id}/stream": {
    "GET": "base token"
  },
  "/api/v3/ott/events/{event_id}/stream/end": {
    "POST": "base token"
  },
  "/api/v3/ott/catalogue/": {
    "GET": "base key"
  },
  "/api/v3/ott/catalogue/{event_id}": {
    "GET": "base key",
    "PUT": "base key",
    "DELETE": "base key"
  },
  "/api/v3/ott/catalogue/{event_id}/status": {
    "PUT": "base key"
  },
  "/openapi.json": {
    "GET": "base none"
  }
} as const;
