import * as z from 'zod'
import { execute } from '../../../db/query'
import {
  readSettings,
  type SettingKind,
  saveSettings,
  settingKinds,
} from '../../../domain/instance/save-settings'
import { type InstanceSettings, loadSettings, type SettingName } from '../../../domain/instance/settings'
import { Invalid, InvalidFields } from '../../../errors'
import type { Problem } from '../../../errors/sentences'
import { storedText } from '../../../lib/translate'
import { Panel } from '../../components/admin/panel'
import { Button } from '../../components/button'
import { CheckboxField, SelectField, TextAreaField, TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { Outcome } from '../../components/form-page'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { changedFields } from '../../member-pages/changed-fields'
import type { PageView, SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { moderatorOf } from '../../moderator'
import { paths } from '../../paths'
import { type SettingGroup, type SettingText, settingGroups } from './setting-groups'

const title = 'common.settings'

const kinds: ReadonlyMap<string, SettingKind> = new Map(settingKinds.map((kind) => [kind.name, kind]))
const text = textField()
// Shared by all fields: making each costs time at the start of an isolate.
const form = z.object({
  group: text,
  groups: text,
  ...Object.fromEntries(settingKinds.map(({ name }) => [name, text])),
})

/**
 * Settings of the server, by group, in one form: any of its buttons saves all, so that nothing typed is lost. What was saved
 * stands in the group of the button.
 */
export const serverSettingsPage = memberPage({
  kind: 'admin',
  path: paths.serverSettings,
  title,
  access: 'manageSettings',
  menu: { label: title, order: 800 },
  form,
  submissions: [{ run: save }],
  notices: { saved: 'admin.settings.settingsSaved' },
  labels: Object.fromEntries(
    settingGroups.flatMap(({ settings }) =>
      Object.entries(settings).map(([name, { label }]) => [name, label]),
    ),
  ),
  load: async (ctx) => execute(ctx.db, loadSettings(ctx)),
  view: (page) => <SettingsPage page={page} />,
})

async function save({ c, ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const sent: Readonly<Record<string, string>> = input
  // Boxes that are not ticked are not sent: groups that the form did not show stay as they are.
  const shown = (sent['groups'] ?? '').split(' ')
  const groups = settingGroups.filter(({ name }) => shown.includes(name))
  const at = groups.find(({ name }) => name === sent['group'])?.name
  const names = groups.flatMap(namesIn)
  const patch = names.map((name) => [name, sentValue(name, sent[name] ?? '')] as const)
  const problems = patch.flatMap(([name, value]) => problemIn(name, value))
  if (problems.length > 0) throw new InvalidFields(problems)
  const before = await execute(ctx.db, loadSettings(ctx))
  const stored = Object.fromEntries(names.map((name) => [name, shownValue(before[name])]))
  const read = Object.fromEntries(patch.map(([name, value]) => [name, shownSent(value)]))
  const changed = changedFields(stored, read)
  const wanted = Object.fromEntries(patch.filter(([name]) => changed.includes(name)))
  await saveSettings(ctx, moderatorOf(c, session), readSettings(wanted))
  return { notice: 'saved' as const, changed, ...(at === undefined ? {} : { at }) }
}

/** Problem of one field, to be shown beside it. */
function problemIn(name: SettingName, value: unknown): readonly Problem[] {
  try {
    readSettings({ [name]: value })
    return []
  } catch (failure) {
    if (!(failure instanceof Invalid)) throw failure
    return failure.problems
  }
}

function textsIn({ settings }: SettingGroup): readonly (readonly [SettingName, SettingText])[] {
  return settingKinds.flatMap(({ name }) => {
    const text = settings[name]
    return text === undefined ? [] : [[name, text] as const]
  })
}

function namesIn(group: SettingGroup): readonly SettingName[] {
  return textsIn(group).map(([name]) => name)
}

/** A field as settings are read: boxes that are not ticked are not sent, lists have an entry a line. */
function sentValue(name: SettingName, text: string): unknown {
  const type = kinds.get(name)?.type
  if (type === 'boolean') return text === 'true'
  if (type !== 'list') return text
  return text.split(/[\r\n,]+/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}

/** A field that was sent, as it is shown once it is saved. */
function shownSent(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : String(value)
}

function shownValue(value: InstanceSettings[SettingName]): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.join('\n')
  return typeof value === 'object' ? '' : String(value)
}

interface SettingsPageProps {
  readonly page: PageView<InstanceSettings>
}

function SettingsPage({ page }: SettingsPageProps) {
  const t = useTranslation()
  const { found } = page
  return (
    <Panel title={t(title)} current={paths.serverSettings}>
      <PostForm
        action={paths.serverSettings}
        class="panel-section"
        hidden={{ groups: settingGroups.map(({ name }) => name).join(' ') }}
      >
        {settingGroups.map((group) => (
          <section class="block form" aria-labelledby={`group-${group.name}`}>
            <h2 id={`group-${group.name}`}>{t(group.title)}</h2>
            <Outcome at={group.name} />
            {textsIn(group).map(([name, text]) => (
              <Setting name={name} text={text} value={shownValue(found[name])} />
            ))}
            <div class="actions">
              <Button name="group" value={group.name}>
                {t('common.save')}
              </Button>
            </div>
          </section>
        ))}
      </PostForm>
    </Panel>
  )
}

interface SettingProps {
  readonly name: SettingName
  readonly text: SettingText
  readonly value: string
}

const longest = 100_000

function Setting({ name, text: { label, hint, choices, isLong }, value }: SettingProps) {
  const t = useTranslation()
  const { type, nullable, minimum, maximum, choices: options } = kinds.get(name) ?? textKind
  const bounds =
    minimum === null
      ? undefined
      : t('admin.settings.fromMinimumMaximum', { minimum, maximum: maximum ?? minimum })
  const shared = {
    name,
    label: t(label),
    value,
    hint:
      [hint === undefined ? undefined : t(hint), bounds].filter((one) => one !== undefined).join(' ') ||
      undefined,
  }
  if (type === 'boolean')
    return (
      <CheckboxField
        name={name}
        label={
          <>
            {t(label)}
            {hint !== undefined && <span class="hint">{t(hint)}</span>}
          </>
        }
        isChecked={value === 'true'}
        isOptional
      />
    )
  if (type === 'choice')
    return (
      <SelectField
        {...shared}
        options={options.map((option) => ({ value: option, text: storedText(t, choices?.[option], option) }))}
      />
    )
  if (isLong === true || type === 'list')
    return <TextAreaField {...shared} rows={isLong === true ? 6 : 3} maxlength={longest} isOptional />
  const isNumber = type === 'integer'
  return (
    <TextField
      {...shared}
      inputmode={isNumber ? 'numeric' : 'text'}
      autocomplete="off"
      isOptional={nullable}
    />
  )
}

const textKind: Pick<SettingKind, 'type' | 'nullable' | 'minimum' | 'maximum' | 'choices'> = {
  type: 'text',
  nullable: true,
  minimum: null,
  maximum: null,
  choices: [],
}
