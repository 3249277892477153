import { ReportCategory } from '../../../contract/entities/report'
import type { RuleRow } from '../../../domain/instance/rules'
import type { TextKey } from '../../../lib/translate'
import { Day } from '../../components/day'
import { Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { personPagePath } from '../../people/acts'
import { ruleText } from '../sign-up/page'
import type { FormView } from './form-page'
import { FormPage } from './form-view'

/** A post that a report can name. */
export interface ReportablePost {
  readonly id: string
  readonly text: string
  readonly at: Date
  readonly media: number
}

/** Values of the form of a report. */
export interface ReportFields {
  readonly category: ReportCategory
  readonly comment: string
  readonly forwards: boolean
  readonly ruleIds: ReadonlySet<number>
  readonly statusIds: ReadonlySet<string>
}

const categories: Readonly<Record<ReportCategory, TextKey>> = {
  spam: 'client.report.spam',
  legal: 'client.report.legal',
  violation: 'client.report.violation',
  other: 'client.report.other',
}

export interface ReportPageProps {
  readonly view: FormView<unknown>
  readonly rules: readonly RuleRow[]
  readonly posts: readonly ReportablePost[]
  readonly fields: ReportFields
}

/** The form of a report: why, which rules and posts, and who gets it. */
export function ReportPage({ view, rules, posts, fields }: ReportPageProps) {
  const t = useTranslation()
  const { name, domain } = view.profile
  return (
    <FormPage
      view={view}
      title={t('client.report.reportName', { name })}
      button={t('client.report.send')}
      isDangerous
    >
      <p>{t('client.report.onlyModeratorsSeeIt', { name })}</p>
      <fieldset>
        <legend>{t('client.report.whatIsWrong')}</legend>
        {ReportCategory.options
          .filter((category) => category !== 'violation' || rules.length > 0)
          .map((category) => (
            <label class="choice">
              <input type="radio" name="category" value={category} checked={category === fields.category} />
              <span>{t(categories[category])}</span>
            </label>
          ))}
      </fieldset>
      <Rules rules={rules} chosen={fields.ruleIds} />
      <Posts posts={posts} chosen={fields.statusIds} />
      <div class="field">
        <label for="comment">{t('client.report.whatShouldWeKnow')}</label>
        <textarea class="input" id="comment" name="comment" rows={4} dir="auto">
          {fields.comment}
        </textarea>
      </div>
      {domain !== null && (
        <label class="choice">
          <input type="checkbox" name="forward" value="1" checked={fields.forwards} />
          <span>
            {t('client.report.alsoSendTo', { domain })}
            <small>{t('client.report.withoutYourName')}</small>
          </span>
        </label>
      )}
    </FormPage>
  )
}

function Rules({
  rules,
  chosen,
}: {
  readonly rules: readonly RuleRow[]
  readonly chosen: ReadonlySet<number>
}) {
  const t = useTranslation()
  if (rules.length === 0) return null
  return (
    <fieldset>
      <legend>{t('client.report.brokenRules')}</legend>
      <input type="hidden" name="rules" value={rules.map(({ id }) => id).join(',')} />
      {rules.map((rule) => {
        const { text, hint } = ruleText(rule)
        return (
          <label class="choice">
            <input type="checkbox" name={`rule_${rule.id}`} value="1" checked={chosen.has(rule.id)} />
            <span>
              {text}
              {hint !== '' && <small>{hint}</small>}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

function Posts({
  posts,
  chosen,
}: {
  readonly posts: readonly ReportablePost[]
  readonly chosen: ReadonlySet<string>
}) {
  const t = useTranslation()
  if (posts.length === 0) return null
  return (
    <fieldset>
      <legend>{t('client.report.whichPosts')}</legend>
      <input type="hidden" name="posts" value={posts.map(({ id }) => id).join(',')} />
      {posts.map(({ id, text, at, media }) => (
        <label class="choice">
          <input type="checkbox" name={`post_${id}`} value="1" checked={chosen.has(id)} />
          <span>
            <bdi>{text}</bdi>
            <small>
              <Day at={at} withTime />
              {media > 0 && ` · ${t('client.attachmentOtherAttachments', { count: media })}`}
            </small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** Thanks, and what else helps. */
export function ReportSentPage({ view }: { readonly view: FormView<unknown> }) {
  const t = useTranslation()
  const { profile, back } = view
  const { id, name, relationship } = profile
  return (
    <Shell title={t('client.report.sent')} place={null} isPrivate>
      <ViewHead title={t('client.report.sent')} back={back} />
      <div class="pad asked">
        <p>{t('client.report.moderatorsLookAtIt')}</p>
        <p class="two">
          {!relationship.muting && (
            <a class="button" href={personPagePath(id, 'mute', { returnTo: back })}>
              {t('client.muteName', { name })}
            </a>
          )}
          {!relationship.blocking && (
            <a class="button" href={personPagePath(id, 'block', { returnTo: back })}>
              {t('client.blockName', { name })}
            </a>
          )}
          <a class="button main" href={back}>
            {t('directory.back')}
          </a>
        </p>
      </div>
    </Shell>
  )
}
