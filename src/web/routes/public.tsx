import { Hono } from 'hono'
import { combineQueries } from '../../db/query'
import { loadCounters } from '../../domain/instance/counters'
import { loadRules } from '../../domain/instance/rules'
import { loadSettingsWithTimes, pickSettings } from '../../domain/instance/settings'
import { termsOf } from '../../domain/instance/terms'
import { aboutText, type InstanceText, privacyText } from '../../domain/instance/texts'
import { liveFeedAccess } from '../../domain/timelines/access'
import { Gone, NotFound } from '../../errors'
import { escapeHtml } from '../../lib/html'
import { renderDocument } from '../../lib/text/document'
import type { AppContext, AppEnv } from '../../platform/app-env'
import type { Ctx } from '../../platform/ports'
import { defaultThumbnailUrl, fileUrl } from '../../view/urls'
import { contactOf, findContact } from '../contact'
import { showPublicPage } from '../page'
import { openPageWith } from '../page-request'
import { paths } from '../paths'
import { DocumentPage, RulesPage } from '../public/document'
import { LandingPage } from '../public/landing'
import { listedPeople, localPosts, mayBrowse, mayReadPosts } from '../public-content'
import { ruleText } from './sign-up'

/** What anybody may read about the server. */
export function publicRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.home, showLanding)
  app.get(paths.about, (c) => showText(c, 'About', aboutText))
  app.get(paths.privacy, (c) => showText(c, 'Privacy policy', privacyText))
  app.get(paths.terms, (c) => showText(c, 'Terms of service', termsText))
  app.get(`${paths.terms}/:day`, showFormerTerms)
  // Where the documents for Keybase lead who wants to prove something.
  app.get('/settings/identity_proofs/new', () => {
    throw new Gone('Identity proofs by Keybase are no longer taken')
  })
  app.get(paths.rules, async (c) => {
    const { visit, found } = await openPageWith(c, loadRules(c.get('ctx')))
    const { site, viewer } = visit
    return showPublicPage(c, visit, <RulesPage {...{ site, viewer, rules: found.map(ruleText) }} />)
  })
  return app
}

type Texts = Parameters<typeof aboutText>

function termsText(...[settings, changedAt]: Texts): InstanceText {
  if (settings.termsOfService === null) throw new NotFound('This server has no terms of service')
  return { markdown: settings.termsOfService, updatedAt: changedAt.get('termsOfService') ?? null }
}

async function showFormerTerms(c: AppContext) {
  const { visit, found } = await openPageWith(c, termsOf(c.get('ctx'), c.req.param('day') ?? ''))
  if (found === null) throw new NotFound('No terms of service came into force on that day')
  const { site, viewer } = visit
  const updatedAt = new Date(found.effectiveOn)
  const page = { title: 'Terms of service', html: renderDocument(found.text), updatedAt }
  return showPublicPage(c, visit, <DocumentPage {...{ site, viewer, ...page }} />)
}

async function showText(c: AppContext, title: string, choose: (...texts: Texts) => InstanceText) {
  const { visit, found } = await openPageWith(c, loadSettingsWithTimes(c.get('ctx')))
  const { markdown, updatedAt } = choose(found.settings, found.changedAt)
  const html = markdown.trim() === '' ? null : renderDocument(markdown)
  const { site, viewer } = visit
  return showPublicPage(c, visit, <DocumentPage {...{ site, viewer, title, html, updatedAt }} />)
}

const postsOnFront = 4
const peopleOnFront = 6

function landingFacts(ctx: Ctx) {
  return combineQueries({
    settings: pickSettings(ctx, [
      'shortDescription',
      'thumbnail',
      'thumbnailDescription',
      'profileDirectory',
    ]),
    rules: loadRules(ctx),
    counters: loadCounters(ctx),
    contact: findContact(ctx),
    access: liveFeedAccess(ctx),
    posts: localPosts(ctx, { limit: postsOnFront }),
    people: listedPeople(ctx, { limit: peopleOnFront, offset: 0 }),
  })
}

async function showLanding(c: AppContext) {
  const ctx = c.get('ctx')
  const { visit, found } = await openPageWith(c, landingFacts(ctx))
  const { site, viewer, settings } = visit
  const { shortDescription, thumbnail, thumbnailDescription, profileDirectory } = found.settings
  const { users, statuses, active_month: activeMonth } = found.counters
  const page = {
    ...{ site, viewer, url: `${ctx.config.origin}/`, signUp: settings.registrations },
    descriptionHtml: shortDescription === '' ? '' : `<p>${escapeHtml(shortDescription)}</p>`,
    descriptionText: shortDescription,
    thumbnail: {
      url: thumbnail === null ? defaultThumbnailUrl(ctx.config) : fileUrl(ctx.config, thumbnail, null),
      description: thumbnailDescription,
    },
    contact: contactOf(ctx.config, settings, found.contact),
    rules: found.rules.map(ruleText),
    numbers: { users, statuses, activeMonth },
    posts: mayReadPosts(c, visit, found.access) ? found.posts.statuses : [],
    people: profileDirectory && mayBrowse(c, visit) ? found.people : [],
  }
  return showPublicPage(c, visit, <LandingPage {...page} />)
}
