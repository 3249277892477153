import type { AdminAccount } from '../../../contract/entities/admin/account'
import type { TextKey } from '../../../lib/translate'
import type { Form } from '../../csrf'
import { hasErrors } from '../../form-errors'
import { type PageTranslate, useTranslation } from '../../i18n/context'
import type { Question, QuestionWords } from '../../member-pages/question'
import { usePage } from '../../page-context'
import { decisionPath } from '../../paths'
import { Button, ButtonLink } from '../button'
import { CheckboxField, ChoiceField, SelectField, TextAreaField } from '../field'
import { PostForm } from '../form'
import { AccountLine } from './notes'
import { Facts, Panel } from './panel'

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

/** Choice of a moderator about a report or an account: a decision, or the end of a report without one. */
export type Choice = DecisionType | 'resolve'

const texts: Readonly<Record<Choice, { readonly text: TextKey; readonly hint: TextKey }>> = {
  resolve: {
    text: 'admin.report.resolveWithoutAction',
    hint: 'admin.decision.resolve.hint',
  },
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

/** Choices that cannot be undone at once. */
const grave: readonly Choice[] = ['delete', 'suspend']

export interface ChoiceLinksProps {
  /** Path of the page of the account or report. */
  readonly at: string
  readonly choices: readonly Choice[]
}

/** Links to the pages of decisions, which ask about each. */
export function ChoiceLinks({ at, choices }: ChoiceLinksProps) {
  const t = useTranslation()
  return (
    <>
      <p class="quiet small">{t('admin.decision.eachOpensPage')}</p>
      <div class="actions">
        {choices.map((choice) => (
          <ButtonLink look={grave.includes(choice) ? 'danger' : 'secondary'} href={decisionPath(at, choice)}>
            {t(texts[choice].text)}
          </ButtonLink>
        ))}
      </div>
    </>
  )
}

/** Posts and collections of a report. */
export interface Concerned {
  readonly posts: number
  readonly collections: number
}

/** Question about a choice that another one undoes, with the numbers that it touches. */
export function mildQuestion(choice: Choice, { account }: AdminAccount, concerned: Concerned): QuestionWords {
  const touchesAccount = choice === 'sensitive' || choice === 'silence' || choice === 'disable'
  const counted = (t: PageTranslate): Question['facts'] => {
    if (choice === 'mark_as_sensitive') return concernedFacts(t, concerned)
    if (!touchesAccount) return []
    return [
      [t('field.posts'), t('common.count', { count: account.statuses_count })],
      [t('field.followers'), t('common.count', { count: account.followers_count })],
    ]
  }
  return (t) => ({
    title: t(texts[choice].text),
    effects: [t(texts[choice].hint)],
    facts: counted(t) ?? [],
    button: t(texts[choice].text),
  })
}

function concernedFacts(t: PageTranslate, { posts, collections }: Concerned) {
  const facts = [
    [t('field.posts'), posts],
    [t('field.collections'), collections],
  ] as const
  return facts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => [name, t('common.count', { count })] as const)
}

/** Adds what a member can do about a decision, and what stays as evidence for that. */
export function withAppeal(words: QuestionWords, count: number): QuestionWords {
  return (t) => {
    const { title, effects, facts = [], button } = words(t)
    const kept = count === 0 ? [] : [t('admin.decision.keptAsEvidence', { count })]
    return { title, effects: [...effects, ...kept, t('admin.decision.mayAppeal')], facts, button }
  }
}

/** A page of decisions about an account or report, as it is loaded. */
export interface FoundDecision {
  /** Path of the page of the account or report. */
  readonly at: string
  readonly account: AdminAccount
  readonly choices: readonly Choice[]
  /** The choice that the page asks about, and its words; null where the address names none that is offered. */
  readonly asked: { readonly choice: Choice; readonly words: QuestionWords } | null
  readonly presets: WordsProps['presets']
}

export interface DecisionPageProps {
  /** Path of the menu entry that the page belongs to. */
  readonly current: string
  readonly typed: Form
  readonly found: FoundDecision
}

/** The page of one choice: what happens, the words to the person, and the button that does it. */
export function DecisionPage({ current, typed, found }: DecisionPageProps) {
  const t = useTranslation()
  const { account, asked } = found
  const question = asked?.words(t)
  const title = question?.title ?? t('admin.decide')
  return (
    <Panel title={title} current={current}>
      <section class="block" aria-label={title}>
        <AccountLine account={account} />
        {question?.effects.map((effect) => (
          <p>{effect}</p>
        ))}
        {question?.facts !== undefined && question.facts.length > 0 && <Facts facts={question.facts} />}
        {asked === null ? (
          <Offered typed={typed} found={found} />
        ) : (
          <ChoiceForm choice={asked.choice} button={question?.button} typed={typed} found={found} />
        )}
      </section>
    </Panel>
  )
}

/** Links to the choices that are left, under the message typed for one that another moderator has made meanwhile. */
function Offered({ typed, found: { at, choices } }: Omit<DecisionPageProps, 'current'>) {
  const t = useTranslation()
  return (
    <>
      {typed('text') !== '' && (
        <p class="quoted" dir="auto">
          {typed('text')}
        </p>
      )}
      {choices.length > 0 && <ChoiceLinks at={at} choices={choices} />}
      <div class="actions">
        <ButtonLink look="secondary" href={at}>
          {t('directory.back')}
        </ButtonLink>
      </div>
    </>
  )
}

interface ChoiceFormProps extends Omit<DecisionPageProps, 'current'> {
  readonly choice: Choice
  readonly button: string | undefined
}

function ChoiceForm({ choice, button, typed, found: { at, account, presets } }: ChoiceFormProps) {
  const t = useTranslation()
  const isDecision = choice !== 'resolve'
  return (
    <PostForm
      action={isDecision ? decisionPath(at, choice) : `${at}/resolve`}
      hidden={{ sent: isDecision ? 'true' : null }}
    >
      {isDecision && (
        <Words
          presets={presets}
          typed={typed}
          isLocal={account.domain === null}
          isSent={typed('sent') !== ''}
          blocksAddress={choice === 'suspend'}
        />
      )}
      <div class="actions">
        <Button look={grave.includes(choice) ? 'danger' : 'primary'} name="confirmed" value="true">
          {button}
        </Button>
        <ButtonLink look="secondary" href={at}>
          {t('common.cancel')}
        </ButtonLink>
      </div>
    </PostForm>
  )
}

interface WordsProps {
  readonly presets: readonly { readonly id: number; readonly title: string; readonly text: string }[]
  /** Fields of a refused form as typed. */
  readonly typed: Form
  /** Local accounts get a notice and a mail. */
  readonly isLocal: boolean
  /** The boxes are as a sent form left them. */
  readonly isSent: boolean
  /** Offers to block the address of the account. */
  readonly blocksAddress?: boolean
  /** Beginning of the names of the fields, where a page has two such forms. */
  readonly prefix?: string
}

export interface DecisionFieldsProps extends Omit<WordsProps, 'isSent' | 'blocksAddress'> {
  readonly types: readonly DecisionType[]
}

/** Choice among decisions and the words about it, for a form around them. */
export function DecisionFields({ types, ...fields }: DecisionFieldsProps) {
  const t = useTranslation()
  const { errors } = usePage()
  const name = `${fields.prefix ?? ''}type`
  const typedType = fields.typed(name)
  return (
    <>
      <ChoiceField
        name={name}
        label={t('admin.decision.whatHappens')}
        value={typedType}
        options={types.map((value) => ({
          value,
          text: t(texts[value].text),
          hint: t(texts[value].hint),
        }))}
      />
      <Words {...fields} isSent={typedType !== '' || hasErrors(errors)} />
    </>
  )
}

/** Words about a decision: a saved reply, a message, and who is told. */
function Words({ presets, typed, isLocal, isSent, blocksAddress = false, prefix = '' }: WordsProps) {
  const t = useTranslation()
  return (
    <>
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
          {blocksAddress && (
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
