import type { Chain } from 'viem';

/** What viem asks of the chain of `startAnvil`. Clients reach it over their own transport. */
export const anvilChain = {
  id: 31_337,
  name: 'Anvil',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
} as const satisfies Chain;
