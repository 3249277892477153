import { humanName } from '../errors/sentences'
import type { TextKey } from '../lib/translate'
import { actionTexts, categoryTexts, ipBlockSeverities } from './components/admin/report-words'
import { relayStates, severityBadges } from './components/admin/servers'
import { settingGroups } from './pages/admin/setting-groups'

type Words = Readonly<Record<string, TextKey>>

/** Texts for stored values in changed fields of the audit log, by field name. */
const wordsOf: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['Action', actionTexts],
  ['Category', categoryTexts],
  ['Severity', { ...ipBlockSeverities, ...severityBadges }],
  ['State', relayStates],
  ...settingGroups.flatMap(({ settings }) =>
    Object.entries(settings).flatMap(([name, { choices }]) =>
      choices === undefined ? [] : [[humanName(name), choices] as const],
    ),
  ),
])

/** Word for a stored value of a changed field, of `name` as the API has it. Null where it is shown as it is stored. */
export function auditValueText(name: string, value: string): TextKey | null {
  const words = wordsOf.get(humanName(name))
  return words !== undefined && Object.hasOwn(words, value) ? (words[value] ?? null) : null
}
