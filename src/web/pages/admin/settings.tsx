import * as z from 'zod'
import { execute } from '../../../db/query'
import { readSettings, type SettingKind, settingKinds } from '../../../domain/instance/read-settings'
import { saveSettings } from '../../../domain/instance/save-settings'
import { type InstanceSettings, loadSettings, type SettingName } from '../../../domain/instance/settings'
import { humanName, Invalid, invalidFields } from '../../../errors'
import { message } from '../../../lib/translate'
import { Panel } from '../../components/admin/panel'
import { Button } from '../../components/button'
import { CheckboxField, SelectField, TextAreaField, TextField } from '../../components/field'
import { type FormErrors, PostForm } from '../../components/form'
import type { Form } from '../../csrf'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { PageView, SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { moderatorOf } from '../../moderator'
import { paths } from '../../paths'
import { type SettingGroup, type SettingText, settingGroups } from './setting-groups'

const title = message('Settings')

const kinds: ReadonlyMap<string, SettingKind> = new Map(settingKinds.map((kind) => [kind.name, kind]))
const text = textField()
// Shared by all fields: making each costs time at the start of an isolate.
const form = z.object({
  group: text,
  ...Object.fromEntries(settingKinds.map(({ name }) => [name, text])),
})

/** Settings of the server, by group; each group is saved by itself. */
export const serverSettingsPage = memberPage({
  kind: 'admin',
  path: paths.serverSettings,
  title,
  access: 'manageSettings',
  menu: { label: title, order: 800 },
  form,
  submissions: [{ run: save }],
  notices: { saved: message('The settings are saved.') },
  load: async (ctx) => execute(ctx.db, loadSettings(ctx)),
  view: (page) => <SettingsPage page={page} />,
})

async function save({ c, ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const sent: Readonly<Record<string, string>> = input
  const group = settingGroups.find(({ name }) => name === sent['group'])
  const patch = namesIn(group).map((name) => [name, sentValue(name, sent[name] ?? '')] as const)
  const problems = patch.flatMap(([name, value]) => problemIn(name, value))
  if (problems.length > 0) throw invalidFields(Object.fromEntries(problems))
  await saveSettings(ctx, moderatorOf(c, session), readSettings(Object.fromEntries(patch)))
  return { notice: 'saved' as const }
}

/** Problem of one field, to be shown beside it. */
function problemIn(name: SettingName, value: unknown) {
  try {
    readSettings({ [name]: value })
    return []
  } catch (failure) {
    if (!(failure instanceof Invalid)) throw failure
    // The sentence begins with the name of the setting, which the form says by itself.
    const sentence = failure.message.replace(/^Validation failed: /, '')
    const description = sentence.slice(humanName(name).length + 1)
    return [[name, [{ error: 'ERR_INVALID', description }]] as const]
  }
}

function namesIn(group: SettingGroup | undefined): readonly SettingName[] {
  return settingKinds.flatMap(({ name }) => (group?.settings[name] === undefined ? [] : [name]))
}

/** A field as settings are read: boxes that are not ticked are not sent, lists have an entry a line. */
function sentValue(name: SettingName, text: string): unknown {
  const type = kinds.get(name)?.type
  if (type === 'boolean') return text === 'true'
  if (type !== 'list') return text
  return text.split(/[\r\n,]+/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}

function shownValue(value: InstanceSettings[SettingName]): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.join('\n')
  return typeof value === 'object' ? '' : String(value)
}

interface SettingsPageProps {
  readonly page: PageView<InstanceSettings, keyof z.output<typeof form>>
}

function SettingsPage({ page }: SettingsPageProps) {
  const t = useTranslation()
  const { typed, csrfToken, found } = page
  const errors: FormErrors<string> = page.errors
  return (
    <Panel page={page} title={t(title)} current={paths.serverSettings}>
      {settingGroups.map((group) => {
        const isRefused = typed('group') === group.name
        const values: Form = (name) => (isRefused ? typed(name) : storedValue(found, name))
        return (
          <section class="card" aria-labelledby={`group-${group.name}`}>
            <h2 id={`group-${group.name}`}>{t(group.title)}</h2>
            <PostForm action={paths.serverSettings} csrfToken={csrfToken} hidden={{ group: group.name }}>
              {namesIn(group).map((name) => (
                <Setting
                  name={name}
                  text={group.settings[name] ?? { label: name }}
                  value={values(name)}
                  errors={isRefused ? errors.fields?.[name] : undefined}
                />
              ))}
              <Button>{t('Save')}</Button>
            </PostForm>
          </section>
        )
      })}
    </Panel>
  )
}

function storedValue(settings: InstanceSettings, name: string): string {
  const kind = kinds.get(name)
  return kind === undefined ? '' : shownValue(settings[kind.name])
}

interface SettingProps {
  readonly name: SettingName
  readonly text: SettingText
  readonly value: string
  readonly errors: readonly string[] | undefined
}

const longest = 100_000

function Setting({ name, text: { label, hint, choices, isLong }, value, errors }: SettingProps) {
  const t = useTranslation()
  const { type, nullable, minimum, maximum, choices: options } = kinds.get(name) ?? textKind
  const bounds =
    minimum === null
      ? undefined
      : t('From {minimum, number} to {maximum, number}.', { minimum, maximum: maximum ?? minimum })
  const shared = {
    name,
    label: t(label),
    value,
    errors,
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
            {hint !== undefined && <span class="muted choice-hint">{t(hint)}</span>}
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
        options={options.map((option) => ({ value: option, text: t(choices?.[option] ?? option) }))}
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
