import { Hono } from 'hono'
import type { Config } from '../../config'
import { mediaLimits, pollLimits } from '../../contract/limits'
import { combineQueries } from '../../db/query'
import { findPublicLimits, visibleLimits } from '../../domain/instance/public-limits'
import { loadRules } from '../../domain/instance/rules'
import { loadSettingsWithTimes } from '../../domain/instance/settings'
import { findTerms } from '../../domain/instance/terms'
import { aboutText } from '../../domain/instance/texts'
import { obfuscateDomain } from '../../lib/registrable-domain'
import { renderDocument } from '../../lib/text/document'
import type { AppContext, AppEnv } from '../../ports/app-env'
import { AccountCard } from '../components/account-card'
import { AppList } from '../components/app-list'
import { ContactCard, RuleList } from '../components/contact-card'
import { Day } from '../components/day'
import { Layout } from '../components/layout'
import { Prose } from '../components/prose'
import { contactOf, findContact, findStaff, staffOf } from '../contact'
import { useTranslation } from '../i18n/context'
import { showPublicPage } from '../page'
import { usePage } from '../page-context'
import { memberOf, openPageWith } from '../page-request'
import { paths } from '../paths'
import { servesDocuments } from '../served-documents'
import type { Contact, RuleText, StaffMember } from '../site'
import { ruleText } from './sign-up/page'

/** The page about the server: its operator, rules, limits and texts. */
export function aboutRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.about, showAbout)
  return app
}

async function showAbout(c: AppContext) {
  const ctx = c.get('ctx')
  const { config, clock } = ctx
  const hasDocuments = await servesDocuments(ctx)
  const { visit, found } = await openPageWith(
    c,
    combineQueries({
      settings: loadSettingsWithTimes(ctx),
      rules: loadRules(ctx),
      contact: findContact(ctx),
      staff: findStaff(ctx),
      limits: findPublicLimits(ctx),
      terms: findTerms(ctx),
    }),
  )
  const { settings, changedAt } = found.settings
  const { markdown, updatedAt } = aboutText(settings, changedAt)
  const limits = visibleLimits(memberOf(visit) !== null, found.limits)
  const page = {
    html: markdown.trim() === '' ? null : renderDocument(markdown),
    updatedAt,
    contact: contactOf(config, settings, found.contact),
    staff: staffOf(config, found.staff),
    rules: found.rules.map(ruleText),
    limits: postLimits(config),
    servers:
      limits?.map(({ domain, obfuscate, severity, comment }) => ({
        domain: obfuscate ? obfuscateDomain(domain) : domain,
        isSuspended: severity === 'suspend',
        comment: comment ?? '',
      })) ?? null,
    terms: visit.site.hasTerms
      ? found.terms.map(({ effectiveOn }) => ({
          effectiveOn,
          isComing: new Date(effectiveOn) > clock.now(),
        }))
      : [],
    hasDocuments,
  }
  return showPublicPage(c, visit, <AboutPage {...page} />)
}

function postLimits(config: Config): AboutPageProps['limits'] {
  const megabytes = (bytes: number) => Math.floor(bytes / 1_000_000)
  return {
    characters: config.limits.statusCharacters,
    media: mediaLimits.perStatus,
    imageMegabytes: megabytes(config.limits.imageBytes),
    videoMegabytes: megabytes(config.limits.videoBytes),
    pollOptions: pollLimits.options,
  }
}

export interface AboutPageProps {
  /** Sanitised; null when the operator has written nothing. */
  readonly html: string | null
  readonly updatedAt: Date | null
  readonly contact: Contact
  readonly staff: readonly StaffMember[]
  readonly rules: readonly RuleText[]
  readonly limits: {
    readonly characters: number
    readonly media: number
    readonly imageMegabytes: number
    readonly videoMegabytes: number
    readonly pollOptions: number
  }
  /** Servers that moderators limited; null where the list is not for this viewer. */
  readonly servers:
    | readonly { readonly domain: string; readonly isSuspended: boolean; readonly comment: string }[]
    | null
  /** Versions of the terms by the day they come into force (YYYY-MM-DD), the latest first. */
  readonly terms: readonly { readonly effectiveOn: string; readonly isComing: boolean }[]
  /** Whether the server serves the documents of its software. */
  readonly hasDocuments: boolean
}

export function AboutPage(props: AboutPageProps) {
  const { html, updatedAt, contact, rules } = props
  const t = useTranslation()
  const { site } = usePage()
  return (
    <Layout title={t('common.about')} heading={t('about.aboutSite', { site: site.title })}>
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
      <section class="block" aria-labelledby="contact">
        <h2 id="contact">{t('common.administeredBy')}</h2>
        <ContactCard contact={contact} domain={site.domain} />
      </section>
      <Staff {...props} />
      <section class="block" aria-labelledby="rules">
        <h2 id="rules">{t('field.rules')}</h2>
        {rules.length === 0 ? (
          <p class="quiet small">{t('common.operatorHasNotWritten')}</p>
        ) : (
          <RuleList rules={rules} />
        )}
      </section>
      <PostLimits {...props} />
      <LimitedServers {...props} />
      <Documents {...props} />
      <AppList />
    </Layout>
  )
}

/** Left out where the contact is all the staff there is. */
function Staff({ staff, contact }: AboutPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  if (staff.every(({ account }) => account.url === contact.account?.url)) return null
  return (
    <section class="block" aria-labelledby="staff">
      <h2 id="staff">{t('about.team')}</h2>
      <ul class="rows">
        {staff.map(({ account, role }) => (
          <li>
            <AccountCard account={account} domain={site.domain} />
            {role !== '' && <bdi class="tag">{role}</bdi>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function PostLimits({ limits }: AboutPageProps) {
  const t = useTranslation()
  const { characters, media, imageMegabytes, videoMegabytes, pollOptions } = limits
  return (
    <section class="block" aria-labelledby="limits">
      <h2 id="limits">{t('about.whatFitsIntoPost')}</h2>
      <ul class="plain-list">
        <li>{t('about.characters', { count: characters })}</li>
        <li>{t('about.picturesOrFilms', { count: media })}</li>
        <li>{t('about.picturesUpSizeMb', { size: imageMegabytes })}</li>
        <li>{t('about.filmsSoundUpSize', { size: videoMegabytes })}</li>
        <li>{t('about.pollsUpCountChoices', { count: pollOptions })}</li>
      </ul>
    </section>
  )
}

const mostServers = 300

function LimitedServers({ servers }: AboutPageProps) {
  const t = useTranslation()
  if (servers === null) return null
  return (
    <section class="block" aria-labelledby="servers">
      <h2 id="servers">{t('about.limitedServers')}</h2>
      {servers.length === 0 ? (
        <p class="quiet small">{t('about.noOtherServerLimited')}</p>
      ) : (
        <details>
          <summary>
            {t('about.serversLimitedHere', {
              count: servers.length,
            })}
          </summary>
          <ul class="entries">
            {servers.slice(0, mostServers).map(({ domain, isSuspended, comment }) => (
              <li>
                <bdi>{domain}</bdi>{' '}
                <span class={isSuspended ? 'tag warn' : 'tag'}>
                  {isSuspended ? t('common.suspended') : t('common.limited')}
                </span>
                {comment !== '' && (
                  <p class="quiet small" dir="auto">
                    {comment}
                  </p>
                )}
              </li>
            ))}
          </ul>
          {servers.length > mostServers && (
            <p class="quiet small">{t('about.andCountMore', { count: servers.length - mostServers })}</p>
          )}
        </details>
      )}
    </section>
  )
}

function Documents({ terms, hasDocuments }: AboutPageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="documents">
      <h2 id="documents">{t('about.documents')}</h2>
      <ul class="plain-list">
        <li>
          <a href={paths.privacy}>{t('common.privacyPolicy')}</a>
        </li>
        {terms.map(({ effectiveOn, isComing }) => (
          <li>
            <a href={`${paths.terms}/${effectiveOn}`}>
              {t.rich(isComing ? 'about.termsServiceApplyFrom' : 'about.termsServiceDay', {
                day: <Day at={new Date(effectiveOn)} />,
              })}
            </a>
          </li>
        ))}
        {hasDocuments && (
          <li>
            <a href={paths.documents}>{t('about.software')}</a>
          </li>
        )}
      </ul>
    </section>
  )
}
