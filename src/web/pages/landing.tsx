import { Hono } from 'hono'
import { combineQueries } from '../../db/query'
import { loadRules } from '../../domain/instance/rules'
import { pickSettings } from '../../domain/instance/settings'
import { loadCounters } from '../../domain/metrics/counters'
import { escapeHtml } from '../../lib/html'
import { renderDocument } from '../../lib/text/document'
import type { TextKey } from '../../lib/translate'
import type { AppContext, AppEnv } from '../../ports/app-env'
import type { Ctx } from '../../ports/ctx'
import { defaultThumbnailUrl, fileUrl } from '../../view/urls'
import { AppList } from '../components/app-list'
import { ButtonLink } from '../components/button'
import { ContactCard, RuleList } from '../components/contact-card'
import { Layout } from '../components/layout'
import { Prose } from '../components/prose'
import { contactOf, findContact } from '../contact'
import { readSecretCookie } from '../cookies'
import { useTranslation } from '../i18n/context'
import { showPublicPage } from '../page'
import { usePage } from '../page-context'
import { openPage, openPageWith } from '../page-request'
import { paths } from '../paths'
import { type Introduced, IntroducedPeople } from '../people/people-list'
import { Feed } from '../posts/feed'
import type { PostView } from '../posts/post-view'
import { listedPeople, localPosts } from '../public-content'
import type { Contact, RuleText, SignUpState } from '../site'
import { ruleText } from './sign-up/page'

export function landingRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.front, showLanding)
  return app
}

const postsOnFront = 6
const peopleOnFront = 6

function landingFacts(ctx: Ctx) {
  return combineQueries({
    settings: pickSettings(ctx, ['shortDescription', 'frontPage', 'thumbnail', 'thumbnailDescription']),
    rules: loadRules(ctx),
    counters: loadCounters(ctx),
    contact: findContact(ctx),
    posts: localPosts(ctx, { limit: postsOnFront }),
    people: listedPeople(ctx, { limit: peopleOnFront, offset: 0 }),
  })
}

async function showLanding(c: AppContext) {
  const ctx = c.get('ctx')
  if ((await readSecretCookie(c, 'session')) !== null) {
    const { session, site } = await openPage(c)
    if (session !== null && site.start !== paths.front) return c.redirect(site.start)
  }
  const { visit, found } = await openPageWith(c, landingFacts(ctx))
  const { site, settings } = visit
  const { shortDescription, frontPage, thumbnail, thumbnailDescription } = found.settings
  const { users, statuses, active_month: activeMonth } = found.counters
  const page = {
    url: `${ctx.config.origin}/`,
    signUp: settings.registrations,
    descriptionHtml: frontText(frontPage, shortDescription),
    descriptionText: shortDescription,
    thumbnail: {
      url: thumbnail === null ? defaultThumbnailUrl(ctx.config) : fileUrl(ctx.config, thumbnail, null),
      description: thumbnailDescription,
    },
    contact: contactOf(ctx.config, settings, found.contact),
    rules: found.rules.map(ruleText),
    numbers: { users, statuses, activeMonth },
    posts: site.places.includes('local') ? found.posts.posts : [],
    people: site.places.includes('people') ? found.people : [],
  }
  return showPublicPage(c, visit, <LandingPage {...page} />)
}

/** Text of the operator on the front page: Markdown, or else the short description. */
function frontText(frontPage: string | null, shortDescription: string): string {
  if (frontPage !== null) return renderDocument(frontPage)
  return shortDescription === '' ? '' : `<p>${escapeHtml(shortDescription)}</p>`
}

export interface LandingPageProps {
  readonly url: string
  /** Sanitised. */
  readonly descriptionHtml: string
  /** The description without markup, for link previews. */
  readonly descriptionText: string
  readonly thumbnail: Thumbnail
  readonly contact: Contact
  readonly rules: readonly RuleText[]
  readonly numbers: { readonly users: number; readonly statuses: number; readonly activeMonth: number }
  readonly signUp: SignUpState
  /** The latest of what people here post, as far as the visitor may read it. */
  readonly posts: readonly PostView[]
  /** Accounts that want to be found, a few of them. */
  readonly people: readonly Introduced[]
}

export interface Thumbnail {
  readonly url: string
  readonly description: string
}

export function LandingPage(props: LandingPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const { thumbnail, descriptionText } = props
  const preview = { url: props.url, description: descriptionText, imageUrl: thumbnail.url }
  return (
    <Layout title={site.title} preview={preview}>
      <Hero {...props} />
      <Posts {...props} />
      <Rules {...props} />
      <Faces {...props} />
      <AppList />
      <Numbers {...props} />
      <section class="block" aria-labelledby="contact">
        <h2 id="contact">{t('common.administeredBy')}</h2>
        <ContactCard contact={props.contact} domain={site.domain} />
      </section>
    </Layout>
  )
}

function Hero({ thumbnail, descriptionHtml, signUp }: LandingPageProps) {
  const t = useTranslation()
  const { viewer } = usePage()
  return (
    <section class="hero block">
      <img class="hero-picture" src={thumbnail.url} alt={thumbnail.description} width="1200" height="630" />
      <div class="hero-text">
        <Prose html={descriptionHtml} />
        {viewer === null ? (
          <>
            <div class="actions">
              {signUp !== 'closed' && <ButtonLink href={paths.signUp}>{t('common.signUp')}</ButtonLink>}
              <ButtonLink look={signUp === 'closed' ? 'primary' : 'secondary'} href={paths.signIn}>
                {t('common.signIn')}
              </ButtonLink>
            </div>
            <p class="quiet small">{t(signUpTexts[signUp])}</p>
          </>
        ) : (
          <div class="actions">
            <ButtonLink href={paths.account}>{t('common.yourAccount')}</ButtonLink>
          </div>
        )}
      </div>
    </section>
  )
}

const signUpTexts = {
  open: 'landing.signUpOpenEveryone',
  approval: 'landing.personReadsEverySign',
  closed: 'landing.serverTakesNoNew',
} as const satisfies Record<SignUpState, string>

function Posts({ posts }: LandingPageProps) {
  const t = useTranslation()
  if (posts.length === 0) return null
  return (
    <section class="unpadded" aria-labelledby="posts">
      <div class="section-head">
        <h2 id="posts">{t('landing.whatPeoplePostHere')}</h2>
      </div>
      <Feed label={t('landing.whatPeoplePostHere')} posts={posts} />
      <p class="pad">
        <a href={paths.posts}>{t('landing.morePosts')}</a>
      </p>
    </section>
  )
}

function Faces({ people }: LandingPageProps) {
  const t = useTranslation()
  if (people.length === 0) return null
  return (
    <section class="unpadded" aria-labelledby="people">
      <div class="section-head">
        <h2 id="people">{t('landing.peopleHere')}</h2>
      </div>
      <IntroducedPeople people={people} />
      <p class="pad">
        <a href={paths.people}>{t('common.morePeople')}</a>
      </p>
    </section>
  )
}

function Rules({ rules }: LandingPageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="rules">
      <h2 id="rules">{t('field.rules')}</h2>
      {rules.length === 0 ? (
        <p class="quiet small">{t('common.operatorHasNotWritten')}</p>
      ) : (
        <RuleList rules={rules} />
      )}
    </section>
  )
}

function Numbers({ numbers }: LandingPageProps) {
  const t = useTranslation()
  const rows: readonly { readonly label: TextKey; readonly value: number }[] = [
    { label: 'landing.members', value: numbers.users },
    { label: 'landing.activeThisMonth', value: numbers.activeMonth },
    { label: 'common.posts', value: numbers.statuses },
  ]
  // Counted once an hour: a server that has just started has no figure yet.
  const shown = rows.filter(({ label, value }) => label !== 'landing.activeThisMonth' || value > 0)
  return (
    <section class="block" aria-labelledby="numbers">
      <h2 id="numbers">{t('landing.inNumbers')}</h2>
      <dl class="numbers">
        {shown.map(({ label, value }) => (
          <div>
            <dt>{t(label)}</dt>
            <dd>{t('common.count', { count: value })}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
