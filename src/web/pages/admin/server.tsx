import * as z from 'zod'
import { execute } from '../../../db/query'
import {
  liftLimit,
  limitDomain,
  parseLimitedDomain,
  requireLimitableDomain,
} from '../../../domain/moderation/limit-domain'
import { previewLimit } from '../../../domain/moderation/preview-effects'
import { dropCourier, failingHost, retryCourier } from '../../../domain/servers/reachability'
import { Invalid, NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import { askLimit } from '../../components/admin/questions'
import { CheckedServer, ServerView } from '../../components/admin/server'
import { checkbox, chosenOf, textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { fixedQuestion, type QuestionWords } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'
import { paths, serverPath } from '../../paths'
import { loadServer } from './load-server'

const path = `${paths.servers}/:domain` as const

const form = z.object({
  severity: textField(20),
  reject_media: checkbox,
  reject_reports: checkbox,
  obfuscate: checkbox,
  public_comment: textField(),
  private_comment: textField(),
})

type Call = SubmissionCall<z.output<typeof form>>

const liftQuestion = fixedQuestion('admin.liftTheLimit', 'admin.server.postsFromThereTaken')

/** A server: its accounts and follows, how deliveries go, the limit on it, and what one would end. */
export const serverPage = memberPage({
  kind: 'admin',
  path,
  title: 'field.server',
  access: 'manageFederation',
  menu: null,
  form,
  script: 'charts.js',
  submissions: [
    { path: `${path}/limit`, ask: askAboutLimit, run: limit },
    { path: `${path}/lift`, isCommand: true, ask: liftQuestion, run: lift },
    { path: `${path}/retry`, isCommand: true, run: retry },
    { path: `${path}/drop`, isCommand: true, ask: askDrop, run: drop },
    { path: `${path}/check`, isCommand: true, run: check },
  ],
  notices: {
    limited: 'admin.server.limitForceSuspensionLarge',
    lifted: 'admin.server.limitLiftedEndedFollows',
    retried: 'admin.server.deliveriesTriedAgainNow',
    dropped: 'admin.server.deliveriesWaitedGivenUp',
  },
  load: loadServer,
  view: (page) => <ServerView page={page} />,
})

/** Domain in the path of a request; `NotFound` for what is none. */
function requireDomain(c: AppContext): string {
  const domain = parseLimitedDomain(c.req.param('domain') ?? '')
  if (domain === null) throw new NotFound()
  return domain
}

const doneAt = (domain: string, notice: string, at: 'limit' | 'deliveries') => ({
  redirectTo: `${serverPath(domain)}?${new URLSearchParams({ done: notice, at })}`,
})

const severities = ['silence', 'suspend', 'noop'] as const

/** Asks about a limit that ends follows or deletes media, unless the one in force does so already. */
async function askAboutLimit({ c, ctx, input }: Call): Promise<QuestionWords | null> {
  const domain = requireLimitableDomain(ctx.config, requireDomain(c))
  const severity = chosenOf(severities, 'severity', input.severity)
  if (severity !== 'suspend' && !input.reject_media) return null
  const { effects, existing } = await previewLimit(ctx, domain)
  const current = existing.find((one) => one.domain === domain)
  const suspends = severity === 'suspend' && current?.severity !== 'suspend'
  const keepsMedia = current === undefined || (current.severity !== 'suspend' && !current.rejectMedia)
  const deletesMedia = keepsMedia && (severity === 'suspend' || input.reject_media)
  return suspends || deletesMedia ? askLimit({ domain, effects, suspends, deletesMedia }) : null
}

async function limit({ c, ctx, session, input }: Call) {
  const domain = requireDomain(c)
  const severity = chosenOf(severities, 'severity', input.severity)
  await limitDomain(ctx, moderatorOf(c, session), domain, {
    severity,
    rejectMedia: input.reject_media,
    rejectReports: input.reject_reports,
    obfuscate: input.obfuscate,
    publicComment: input.public_comment,
    privateComment: input.private_comment,
  })
  return doneAt(domain, 'limited', 'limit')
}

async function lift({ c, ctx, session }: Call) {
  const domain = requireDomain(c)
  await liftLimit(ctx, moderatorOf(c, session), domain)
  return doneAt(domain, 'lifted', 'limit')
}

async function retry({ c, ctx, session }: Call) {
  const domain = requireDomain(c)
  await retryCourier(ctx, moderatorOf(c, session), domain)
  return doneAt(domain, 'retried', 'deliveries')
}

async function askDrop({ c, ctx }: Call): Promise<QuestionWords> {
  const domain = requireDomain(c)
  const failing = await execute(ctx.db, failingHost(ctx, domain))
  if (failing === null) throw new NotFound()
  return (t) => ({
    title: t('admin.server.giveUpDeliveries'),
    effects: [domain, t('admin.server.deliveriesLostPeopleThere', { waiting: failing.waiting })],
    button: t('admin.server.giveUp'),
  })
}

async function drop({ c, ctx, session }: Call) {
  const domain = requireDomain(c)
  await dropCourier(ctx, moderatorOf(c, session), domain)
  return doneAt(domain, 'dropped', 'deliveries')
}

async function check({ c, ctx }: Call) {
  const domain = requireDomain(c)
  if (ctx.config.ownDomains.includes(domain)) throw new Invalid('this_server', { field: 'host' })
  const steps = await ctx.resolver.checkServer(domain)
  return {
    show: <CheckedServer domain={domain} steps={steps} />,
  }
}
