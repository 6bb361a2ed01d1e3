import { addressesOf, allAddresses, isSplit, severities } from '../../../config/alarm-emails.ts';
import { isPlaceholder } from '../../../config/placeholders.ts';
import type { StageConfig } from '../../../config/stage.ts';
import type { Finding } from './finding.ts';

/** The settings that still have the repository's placeholder, such as `oidc.issuer`. */
const placeholdersIn = (value: unknown, path: string): string[] => {
  if (typeof value === 'string') return isPlaceholder(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    placeholdersIn(inner, path === '' ? name : `${path}.${name}`),
  );
};

/** Finds mistakes in the settings of a stage's file, before the stage is deployed. */
export const stageFindings = (
  stage: StageConfig,
  { isDeployed }: { readonly isDeployed: boolean },
): Finding[] => {
  const { retainData, nft } = stage;
  const finding = (check: string, ok: Finding['ok'], found: string, wanted: string): Finding => ({
    check,
    ok,
    found,
    wanted,
  });
  const placeholders = placeholdersIn(stage, '');
  const heard = isSplit(stage.alarmEmails) ? severities : (['page'] as const);
  const unheard = heard
    .filter((severity) => addressesOf(stage.alarmEmails, severity).length === 0)
    .map((severity) => `nobody for ${severity}`);
  return [
    finding('placeholders', placeholders.length === 0, placeholders.join(', '), 'no placeholders left'),
    ...(nft.chainId === 137
      ? [
          finding(
            'publicBaseUrls.base',
            stage.publicBaseUrls.base !== undefined,
            stage.publicBaseUrls.base === undefined ? 'none' : 'a custom address',
            'a custom address, because the address is written into every collection on the chain',
          ),
        ]
      : []),
    ...(retainData
      ? [
          finding(
            'alarms',
            stage.alarms,
            String(stage.alarms),
            'true: otherwise, nobody is told when the stage fails',
          ),
          finding(
            'alarmEmails',
            unheard.length === 0,
            unheard.length === 0 ? String(allAddresses(stage.alarmEmails).length) : unheard.join(', '),
            isSplit(stage.alarmEmails) ? 'at least one address each for page and ticket' : 'at least one',
          ),
          finding(
            'monthlyBudget',
            stage.monthlyBudget !== undefined,
            stage.monthlyBudget === undefined ? 'nothing' : String(stage.monthlyBudget),
            "a sum in US dollars, or 'none': otherwise, nobody is told of a bill that grows",
          ),
          finding(
            'protected',
            // A stage is deployed without protection before it is removed, or rolled back to its first release.
            stage.protected === isDeployed || (isDeployed && 'warning'),
            String(stage.protected),
            isDeployed
              ? 'true, because the first deployment has succeeded: otherwise the stack and its tables can be deleted'
              : 'false: otherwise AWS could not roll back a first deployment that fails',
          ),
        ]
      : []),
  ];
};
