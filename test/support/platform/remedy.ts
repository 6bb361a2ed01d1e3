/**
 * Marks the place in a test where the fault of a section of `docs/runbook.md` has been made, and its remedy begins.
 * `test/unit/platform/stack/runbooks.test.ts` finds the marks in the text of the tests, so both arguments are literals. Without
 * a command, the section has none: the remedy is a step by hand, or the service repairs itself.
 *
 * @returns the words of the command
 */
export const remedy = (_section: string, command = ''): string[] => command.split(' ');
