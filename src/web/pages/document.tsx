import { Hono } from 'hono'
import { loadRules } from '../../domain/instance/rules'
import { loadSettingsWithTimes } from '../../domain/instance/settings'
import { currentTerms, termsOf } from '../../domain/instance/terms'
import { type InstanceText, privacyText } from '../../domain/instance/texts'
import { NotFound } from '../../errors'
import { renderDocument } from '../../lib/text/document'
import type { TextKey } from '../../lib/translate'
import type { AppContext, AppEnv } from '../../ports/app-env'
import { RuleList } from '../components/contact-card'
import { Day } from '../components/day'
import { Layout } from '../components/layout'
import { Prose } from '../components/prose'
import { useTranslation } from '../i18n/context'
import { showPublicPage } from '../page'
import { usePage } from '../page-context'
import { openPageWith, type PageRequest } from '../page-request'
import { paths } from '../paths'
import type { RuleText } from '../site'
import { ruleText } from './sign-up/page'

/** Texts of the operator: rules, privacy policy and terms of service. */
export function documentPageRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.privacy, (c) => showText(c, 'common.privacyPolicy', privacyText))
  app.get(paths.terms, showTerms)
  app.get(`${paths.terms}/:day`, showFormerTerms)
  app.get(paths.rules, async (c) => {
    const { visit, found } = await openPageWith(c, loadRules(c.get('ctx')))
    return showPublicPage(c, visit, <RulesPage rules={found.map(ruleText)} />)
  })
  return app
}

type Texts = Parameters<typeof privacyText>

async function showTerms(c: AppContext) {
  const { visit, found } = await openPageWith(c, currentTerms(c.get('ctx')))
  if (found === null || !visit.site.hasTerms) throw new NotFound('no_terms')
  return showVersion(c, visit, { ...found, updatedAt: found.publishedAt })
}

async function showFormerTerms(c: AppContext) {
  const { visit, found } = await openPageWith(c, termsOf(c.get('ctx'), c.req.param('day') ?? ''))
  if (found === null) throw new NotFound('no_terms_that_day')
  return showVersion(c, visit, { ...found, updatedAt: new Date(found.effectiveOn) })
}

function showVersion(
  c: AppContext,
  visit: PageRequest,
  { text, updatedAt }: { readonly text: string; readonly updatedAt: Date },
) {
  const title: TextKey = 'common.termsOfService'
  const page = { title, html: renderDocument(text), updatedAt }
  return showPublicPage(c, visit, <DocumentPage {...page} />)
}

async function showText(c: AppContext, title: TextKey, choose: (...texts: Texts) => InstanceText) {
  const { visit, found } = await openPageWith(c, loadSettingsWithTimes(c.get('ctx')))
  const { markdown, updatedAt } = choose(found.settings, found.changedAt)
  const html = markdown.trim() === '' ? null : renderDocument(markdown)
  return showPublicPage(c, visit, <DocumentPage title={title} html={html} updatedAt={updatedAt} />)
}

export interface DocumentPageProps {
  readonly title: TextKey
  /** Sanitised; null when the operator has written nothing. */
  readonly html: string | null
  readonly updatedAt: Date | null
}

/** A text of the operator: privacy policy, terms of service. */
export function DocumentPage({ title, html, updatedAt }: DocumentPageProps) {
  const t = useTranslation()
  return (
    <Layout title={t(title)}>
      <article class="block">
        {updatedAt !== null && (
          <p class="quiet">{t.rich('common.lastChangedDay', { day: <Day at={updatedAt} /> })}</p>
        )}
        {html === null ? (
          <p class="quiet small">{t('common.operatorHasNotWrittenAnything')}</p>
        ) : (
          <Prose html={html} />
        )}
      </article>
    </Layout>
  )
}

export interface RulesPageProps {
  readonly rules: readonly RuleText[]
}

export function RulesPage({ rules }: RulesPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <Layout title={t('field.rules')} heading={t('document.rulesOfSite', { site: site.title })}>
      <article class="block">
        {rules.length === 0 ? (
          <p class="quiet small">{t('common.operatorHasNotWritten')}</p>
        ) : (
          <RuleList rules={rules} />
        )}
      </article>
    </Layout>
  )
}
