import * as z from 'zod'
import { dropCourier, retryCourier } from '../../../domain/instance/couriers'
import { liftLimit, limitDomain } from '../../../domain/moderation/limit-domain'
import { parseLimitedDomain } from '../../../domain/moderation/limitable-domain'
import { NotFound, validationFailed } from '../../../errors'
import { message } from '../../../lib/translate'
import type { AppContext } from '../../../platform/app-env'
import { CheckedServer, ServerView } from '../../components/admin/server'
import { checkbox, textField } from '../../form-fields'
import type { PageFrame, SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
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

/** A server: its accounts and follows, how deliveries go, the limit on it, and what one would end. */
export const serverPage = memberPage({
  kind: 'admin',
  path,
  title: message('Server'),
  access: 'manageFederation',
  menu: null,
  form,
  script: 'charts.js',
  submissions: [
    { path: `${path}/limit`, run: limit },
    { path: `${path}/lift`, isCommand: true, run: lift },
    { path: `${path}/retry`, isCommand: true, run: retry },
    { path: `${path}/drop`, isCommand: true, run: drop },
    { path: `${path}/check`, isCommand: true, run: check },
  ],
  notices: {
    limited: message('The limit is in force. A suspension of a large server takes some minutes.'),
    lifted: message('The limit is lifted. Ended follows can be restored for 30 days.'),
    retried: message('The deliveries are tried again now.'),
    dropped: message('The deliveries that waited are given up.'),
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

async function limit({ c, ctx, session, input }: Call) {
  const domain = requireDomain(c)
  const severity = (['silence', 'suspend', 'noop'] as const).find((one) => one === input.severity)
  if (severity === undefined) throw validationFailed('Severity is not included in the list')
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

async function drop({ c, ctx, session }: Call) {
  const domain = requireDomain(c)
  await dropCourier(ctx, moderatorOf(c, session), domain)
  return doneAt(domain, 'dropped', 'deliveries')
}

async function check({ c, ctx }: Call) {
  const domain = requireDomain(c)
  if (ctx.config.ownDomains.includes(domain)) throw validationFailed('Host is this server itself')
  const steps = await ctx.resolver.checkServer(domain)
  return {
    show: ({ site, viewer }: PageFrame) => (
      <CheckedServer site={site} viewer={viewer} domain={domain} steps={steps} />
    ),
  }
}
