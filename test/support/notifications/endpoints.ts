import { type Endpoint, newEndpointId } from '../../../shared/notifications/endpoints/endpoint.ts';

/** A customer's endpoint that is notified of changed user data. */
export const anEndpoint = (overrides: Partial<Endpoint> = {}): Endpoint => ({
  applicationId: 'application-1',
  id: newEndpointId(),
  destination: 'https://customer.example.com/hook',
  isEnveloped: false,
  operationTypes: ['data_update'],
  createdAt: 0,
  ...overrides,
});
