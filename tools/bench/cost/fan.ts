import type { System } from '../../../test/support/platform/system.ts';
import { httpCall } from '../http-call.ts';

/** Registers a user, and returns the identifier by which the first application knows the user. */
export const registerFan = async (system: System, sub: string): Promise<string> => {
  const [application] = system.outputs.applications;
  const profile = system.outputs.api_url_profile;
  const token = await system.token({ sub, client_id: application?.client_id ?? '' });
  const headers = { authorization: `Bearer ${token}` };
  await httpCall(`${profile}/user/data`, { method: 'PUT', headers, json: { user_data: {} } });
  const answer = await httpCall(`${profile}/user/reporter/application-user-sub`, { headers });
  return JSON.parse(answer).application_user_sub;
};
