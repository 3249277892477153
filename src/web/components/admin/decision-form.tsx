import type { AdminAccount } from '../../../contract/entities/admin/account'
import type { TextKey } from '../../../lib/translate'
import type { Form } from '../../csrf'
import { hasErrors } from '../../form-errors'
import { type PageTranslate, useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
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

const texts: Readonly<Record<DecisionType, { readonly text: TextKey; readonly hint: TextKey }>> = {
  none: { text: 'admin.decision.warn', hint: 'admin.decision.warn.hint' },
  delete: {
    text: 'admin.deleteThePosts',
    hint: 'admin.decision.deleteThePosts.hint',
  },
  mark_as_sensitive: {
    text: 'admin.decision.markPostsSensitive',
    hint: 'admin.decision.markPostsSensitive.hint',
  },
  sensitive: {
    text: 'admin.decision.markAllMediaSensitive',
    hint: 'admin.decision.markAllMediaSensitive.hint',
  },
  disable: {
    text: 'admin.disable',
    hint: 'admin.decision.disable.hint',
  },
  silence: {
    text: 'admin.limit',
    hint: 'admin.decision.limit.hint',
  },
  suspend: {
    text: 'admin.suspend',
    hint: 'admin.decision.suspend.hint',
  },
}

/** Numbers of affected objects beside an action: all of the account, and those of the decision. */
export interface Touched {
  readonly account: Pick<AdminAccount['account'], 'statuses_count' | 'followers_count'>
  readonly posts?: number
  readonly collections?: number
}

export interface DecisionFieldsProps {
  readonly types: readonly DecisionType[]
  readonly presets: readonly { readonly id: number; readonly title: string; readonly text: string }[]
  /** Fields of a refused form as typed. */
  readonly typed: Form
  /** Local accounts get a notice and a mail, and their address can be blocked. */
  readonly isLocal: boolean
  readonly touched?: Touched
  /** Beginning of the names of the fields, where a page has two such forms. */
  readonly prefix?: string
}

export interface DecisionFormProps extends Omit<DecisionFieldsProps, 'prefix'> {
  readonly action: string
}

/** Form of a decision against an account: what happens, and the words about it. */
export function DecisionForm({ action, ...fields }: DecisionFormProps) {
  const t = useTranslation()
  return (
    <PostForm action={action}>
      <DecisionFields {...fields} />
      <Button look="danger">{t('admin.decide')}</Button>
    </PostForm>
  )
}

/** Fields of a decision, for a form around them. */
export function DecisionFields({
  types,
  presets,
  typed,
  isLocal,
  touched,
  prefix = '',
}: DecisionFieldsProps) {
  const t = useTranslation()
  const { errors } = usePage()
  const typedType = typed(`${prefix}type`)
  // Of a sent form the boxes are as they were left.
  const isSent = typedType !== '' || hasErrors(errors)
  return (
    <>
      <ChoiceField
        name={`${prefix}type`}
        label={t('admin.decision.whatHappens')}
        value={typedType}
        options={types.map((value) => ({
          value,
          text: t(texts[value].text),
          hint: [t(texts[value].hint), ...numbersOf(t, value, touched)].join(' '),
        }))}
      />
      {presets.length > 0 && (
        <SelectField
          name={`${prefix}preset`}
          label={t('field.savedReply')}
          hint={t('admin.decision.preparedText.hint')}
          value={typed(`${prefix}preset`)}
          options={[
            { value: '', text: t('admin.none') },
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
            label={t('admin.message')}
            rows={4}
            maxlength={10_000}
            value={typed(`${prefix}text`)}
            isOptional
          />
          <CheckboxField
            name={`${prefix}send_email`}
            label={t('admin.decision.notifyPersonByMail')}
            isChecked={!isSent || typed(`${prefix}send_email`) === 'true'}
            isOptional
          />
          {types.includes('suspend') && (
            <CheckboxField
              name={`${prefix}block_email`}
              label={t('admin.decision.suspendedEmailAddressCannot')}
              isChecked={typed(`${prefix}block_email`) === 'true'}
              isOptional
            />
          )}
        </>
      )}
    </>
  )
}

/** Numbers of affected objects in brackets; nothing for actions on the account alone. */
function numbersOf(t: PageTranslate, type: DecisionType, touched: Touched | undefined): readonly string[] {
  if (touched === undefined || type === 'none' || type === 'disable') return []
  const { account, posts = 0, collections = 0 } = touched
  const postsText = (count: number) => t('common.posts2', { count })
  const isAboutPosts = type === 'delete' || type === 'mark_as_sensitive'
  if (isAboutPosts && posts + collections === 0) return []
  const parts = isAboutPosts
    ? [
        ...(posts > 0 ? [postsText(posts)] : []),
        ...(collections > 0 ? [t('admin.decision.collections', { count: collections })] : []),
      ]
    : [
        postsText(account.statuses_count),
        ...(type === 'sensitive' ? [] : [t('admin.decision.followers', { count: account.followers_count })]),
      ]
  return [`(${parts.join(' · ')})`]
}
