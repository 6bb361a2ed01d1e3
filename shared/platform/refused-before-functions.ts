/**
 * After how many seconds a caller may try again who was refused before a function was called. The header `Retry-After`
 * tells who refused: API Gateway, for its throttle or because Lambda has no room, or the firewall.
 */
export const retryAfterSeconds = { gateway: 1, firewall: 30 } as const;
