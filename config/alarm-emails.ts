import * as z from 'zod';

/**
 * How urgent an alarm is. `page`: somebody should look now, at any hour. `ticket`: it can wait for the next working day.
 */
export const severities = ['page', 'ticket'] as const;
export type Severity = (typeof severities)[number];

/** The email addresses that alarms notify: of all alarms, or of those of each severity. */
export const alarmEmails = z.union([
  z.array(z.email()),
  z.strictObject({ page: z.array(z.email()), ticket: z.array(z.email()) }),
]);
export type AlarmEmails = z.output<typeof alarmEmails>;

/** Whether alarms that can wait have a topic of their own. */
export const isSplit = (
  emails: AlarmEmails,
): emails is Extract<AlarmEmails, { readonly page: readonly string[] }> => !Array.isArray(emails);

/** The addresses of a topic. With one list, every alarm goes to the topic `page`. */
export const addressesOf = (emails: AlarmEmails, severity: Severity): readonly string[] => {
  if (isSplit(emails)) return emails[severity];
  return severity === 'page' ? emails : [];
};

/** All addresses, each once. */
export const allAddresses = (emails: AlarmEmails): readonly string[] => [
  ...new Set(severities.flatMap((severity) => addressesOf(emails, severity))),
];
