import { message } from '../../../lib/translate'
import type { Form } from '../../csrf'
import { useTranslation } from '../../i18n/context'
import { Button } from '../button'
import { CheckboxField, ChoiceField, SelectField, TextAreaField } from '../field'
import { PostForm } from '../form'

/** Decisions about an account, or about the posts of a report. */
export const decisionTypes = [
  'none',
  'delete',
  'mark_as_sensitive',
  'sensitive',
  'disable',
  'silence',
  'suspend',
] as const
export type DecisionType = (typeof decisionTypes)[number]

const texts: Readonly<Record<DecisionType, { readonly text: string; readonly hint: string }>> = {
  none: { text: message('Warn'), hint: message('Nothing changes but that the person is told.') },
  delete: {
    text: message('Delete the posts'),
    hint: message('Everywhere, for good. They stay as evidence here, and an appeal cannot bring them back.'),
  },
  mark_as_sensitive: {
    text: message('Mark the posts as sensitive'),
    hint: message('Their media are behind a click. An appeal can undo it.'),
  },
  sensitive: {
    text: message('Mark all media as sensitive'),
    hint: message('Media of all posts, also of later ones, are behind a click.'),
  },
  disable: {
    text: message('Disable'),
    hint: message('Nobody can sign in; profile and posts stay as they are.'),
  },
  silence: {
    text: message('Limit'),
    hint: message('Only followers see new posts; no place in public timelines, search and trends.'),
  },
  suspend: {
    text: message('Suspend'),
    hint: message(
      'Profile and posts disappear, here and on other servers. It can be undone for 30 days; then the data are deleted.',
    ),
  },
}

export interface DecisionFieldsProps {
  readonly types: readonly DecisionType[]
  readonly presets: readonly { readonly id: number; readonly title: string; readonly text: string }[]
  /** Fields of a refused form as typed. */
  readonly typed: Form
  /** Local accounts get a notice and a mail, and their address can be blocked. */
  readonly isLocal: boolean
  /** Beginning of the names of the fields, where a page has two such forms. */
  readonly prefix?: string
}

export interface DecisionFormProps extends Omit<DecisionFieldsProps, 'prefix'> {
  readonly action: string
  readonly csrfToken: string
}

/** Form of a decision against an account: what happens, and the words about it. */
export function DecisionForm({ action, csrfToken, ...fields }: DecisionFormProps) {
  const t = useTranslation()
  return (
    <PostForm action={action} csrfToken={csrfToken}>
      <DecisionFields {...fields} />
      <Button look="danger">{t('Decide')}</Button>
    </PostForm>
  )
}

/** Fields of a decision, for a form around them. */
export function DecisionFields({ types, presets, typed, isLocal, prefix = '' }: DecisionFieldsProps) {
  const t = useTranslation()
  const typedType = typed(`${prefix}type`)
  const isSent = typedType !== ''
  return (
    <>
      <ChoiceField
        name={`${prefix}type`}
        label={t('What happens?')}
        value={isSent ? typedType : (types[0] ?? 'none')}
        options={types.map((value) => ({
          value,
          text: t(texts[value].text),
          hint: t(texts[value].hint),
        }))}
      />
      {presets.length > 0 && (
        <SelectField
          name={`${prefix}preset`}
          label={t('Prepared text')}
          hint={t('Comes before your own words.')}
          value={typed(`${prefix}preset`)}
          options={[
            { value: '', text: t('None') },
            ...presets.map(({ id, title, text }) => ({
              value: String(id),
              text: title || text.slice(0, 60),
            })),
          ]}
        />
      )}
      {isLocal && (
        <>
          <TextAreaField
            name={`${prefix}text`}
            label={t('Words to the person')}
            rows={4}
            maxlength={10_000}
            value={typed(`${prefix}text`)}
            isOptional
          />
          <CheckboxField
            name={`${prefix}send_email`}
            label={t('Notify the person, by mail too')}
            isChecked={!isSent || typed(`${prefix}send_email`) === 'true'}
            isOptional
          />
          {types.includes('suspend') && (
            <CheckboxField
              name={`${prefix}block_email`}
              label={t('A suspended e-mail address cannot sign up again')}
              isChecked={!isSent || typed(`${prefix}block_email`) === 'true'}
              isOptional
            />
          )}
        </>
      )}
    </>
  )
}
