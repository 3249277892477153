import * as z from 'zod'
import { parseDomain } from '../../../contract/handle'
import { combineQueries, execute } from '../../../db/query'
import { viewerById } from '../../../domain/core/viewer'
import { blockedAccounts, mutedAccounts } from '../../../domain/relationships/account-lists'
import { unblockAccount, unmuteAccount } from '../../../domain/relationships/block'
import { blockDomain, blockedDomains, unblockDomain } from '../../../domain/relationships/domain-block'
import { InvalidFields } from '../../../errors'
import { problem } from '../../../errors/sentences'
import { loadAccounts } from '../../../view/load/accounts'
import { loadMutes } from '../../../view/load/relationships'
import { presentAccounts, presentMutedAccounts } from '../../../view/present/account'
import { type AccountLine, AccountLines, summaryOfAccount } from '../../components/account-card'
import { Button } from '../../components/button'
import { Day } from '../../components/day'
import { TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { MoreLink } from '../../components/page-links'
import { SettingsLayout } from '../../components/settings-layout'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { usePage } from '../../page-context'
import { lastCursor, readMaxId } from '../../pagination'
import { paths } from '../../paths'

const title = 'settings.blocks.blockedAndMuted'
const pageLength = 20

const form = z.object({ domain: textField(300) })
type Call = SubmissionCall<z.output<typeof form>>

export const blocksPage = memberPage({
  kind: 'settings',
  path: paths.blocks,
  title,
  access: 'active',
  menu: { group: 'reach', label: title, order: 46 },
  words: [
    'settings.blocks.blockedAccounts',
    'settings.blocks.mutedAccounts',
    'settings.blocks.blockedServers',
  ],
  redirectsFrom: ['/blocks', '/mutes', '/domain_blocks'],
  form,
  submissions: [
    {
      path: `${paths.blocks}/accounts/:id/unblock`,
      isCommand: true,
      run: async ({ c, ctx, session }) => {
        await unblockAccount(ctx, { id: session.accountId }, requireIdInPath(c))
        return { notice: 'unblocked' }
      },
    },
    {
      path: `${paths.blocks}/accounts/:id/unmute`,
      isCommand: true,
      run: async ({ c, ctx, session }) => {
        await unmuteAccount(ctx, { id: session.accountId }, requireIdInPath(c))
        return { notice: 'unmuted' }
      },
    },
    { path: `${paths.blocks}/domains`, run: addDomain },
    {
      path: `${paths.blocks}/domains/unblock`,
      isCommand: true,
      run: async ({ ctx, session, input }) => {
        await unblockDomain(ctx, { id: session.accountId }, input.domain)
        return { notice: 'domain-unblocked' }
      },
    },
  ],
  notices: {
    unblocked: 'settings.blocks.accountNoLongerBlocked',
    unmuted: 'settings.blocks.accountNoLongerMuted',
    'domain-blocked': 'settings.blocks.serverBlocked',
    'domain-unblocked': 'settings.blocks.serverNoLongerBlocked',
  },
  load: async (ctx, { session, query }) => {
    const viewer = viewerById(session.accountId)
    const from = (name: string) => ({ limit: pageLength, maxId: readMaxId(query(name)) })
    const { blocked, muted, domains } = await execute(
      ctx.db,
      combineQueries({
        blocked: loadAccounts(ctx, blockedAccounts(viewer, from('blocked'))),
        muted: loadMutes(ctx, mutedAccounts(viewer, from('muted'), ctx.clock.now())),
        domains: blockedDomains(ctx, viewer, from('domains')),
      }),
    )
    return {
      blocked: presentAccounts(ctx.config, blocked).map((account) => ({
        id: account.id,
        account: summaryOfAccount(account),
      })),
      moreBlocked: moreUrl('blocked', lastCursor(blocked, pageLength)),
      muted: presentMutedAccounts(ctx.config, muted).map((account) => ({
        id: account.id,
        account: summaryOfAccount(account),
        until: account.mute_expires_at === null ? null : new Date(account.mute_expires_at),
      })),
      moreMuted: moreUrl('muted', lastCursor(muted.accounts, pageLength)),
      domains: domains.map(({ domain }) => domain),
      moreDomains: moreUrl('domains', domains.length < pageLength ? undefined : domains.at(-1)?.cursor),
    }
  },
  view: ({ typed, found }) => <BlocksPage typed={typed('domain')} {...found} />,
})

/** Three lists share the page: each continues by a parameter of its own. */
function moreUrl(name: string, last: number | undefined): string | null {
  return last === undefined ? null : `${paths.blocks}?${name}=${last}`
}

async function addDomain({ ctx, session, input }: Call) {
  const domain = parseDomain(
    input.domain
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/\/.*$/s, ''),
  )
  if (domain === null) throw new InvalidFields([problem('invalid_domain', { field: 'domain' })])
  await blockDomain(ctx, { id: session.accountId }, domain)
  return { notice: 'domain-blocked' as const }
}

export interface BlocksPageProps {
  readonly typed: string
  readonly blocked: readonly AccountLine[]
  readonly moreBlocked: string | null
  /** `until`: end of the mute, null without one. */
  readonly muted: readonly (AccountLine & { readonly until: Date | null })[]
  readonly moreMuted: string | null
  readonly domains: readonly string[]
  readonly moreDomains: string | null
}

/** Accounts and servers that are kept away. */
export function BlocksPage(props: BlocksPageProps) {
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      <MutedSection {...props} />
      <BlockedSection {...props} />
      <DomainSection {...props} />
    </SettingsLayout>
  )
}

function MutedSection({ muted, moreMuted }: BlocksPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <section class="block" aria-labelledby="muted">
      <h2 id="muted">{t('settings.blocks.mutedAccounts')}</h2>
      <p class="quiet small">{t('settings.blocks.doNotSeePosts')}</p>
      {muted.length === 0 && <p>{t('settings.blocks.nobody')}</p>}
      <AccountLines
        domain={site.domain}
        lines={muted.map(({ until, ...line }) =>
          until === null
            ? line
            : { ...line, note: t.rich('settings.untilDay', { day: <Day at={until} withTime /> }) },
        )}
        actions={({ id, account }) => (
          <PostForm action={`${paths.blocks}/accounts/${id}/unmute`} class="inline">
            <Button look="secondary">
              {t('settings.blocks.unmute')}
              <span class="hidden"> {account.displayName}</span>
            </Button>
          </PostForm>
        )}
      />
      <MoreLink href={moreMuted} />
    </section>
  )
}

function BlockedSection({ blocked, moreBlocked }: BlocksPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <section class="block" aria-labelledby="blocked">
      <h2 id="blocked">{t('settings.blocks.blockedAccounts')}</h2>
      <p class="quiet small">{t('settings.blocks.seeNothingEachOther')}</p>
      {blocked.length === 0 && <p>{t('settings.blocks.nobody')}</p>}
      <AccountLines
        domain={site.domain}
        lines={blocked}
        actions={({ id, account }) => (
          <PostForm action={`${paths.blocks}/accounts/${id}/unblock`} class="inline">
            <Button look="secondary">
              {t('settings.blocks.unblock')}
              <span class="hidden"> {account.displayName}</span>
            </Button>
          </PostForm>
        )}
      />
      <MoreLink href={moreBlocked} />
    </section>
  )
}

function DomainSection({ typed, domains, moreDomains }: BlocksPageProps) {
  const t = useTranslation()
  const { errors } = usePage()
  return (
    <section class="block" aria-labelledby="domains">
      <h2 id="domains">{t('settings.blocks.blockedServers')}</h2>
      {domains.length === 0 && <p>{t('settings.blocks.none')}</p>}
      <ul class="entries">
        {domains.map((domain) => (
          <li class="entry-line">
            <bdi>{domain}</bdi>
            <PostForm action={`${paths.blocks}/domains/unblock`} hidden={{ domain }} class="inline">
              <Button look="secondary">
                {t('settings.blocks.unblock')}
                <span class="hidden"> {domain}</span>
              </Button>
            </PostForm>
          </li>
        ))}
      </ul>
      <MoreLink href={moreDomains} />
      <details open={errors.fields?.['domain'] !== undefined}>
        <summary>{t('settings.blocks.blockAServer')}</summary>
        <PostForm action={`${paths.blocks}/domains`}>
          <p>{t('settings.blocks.seeNothingFromThere')}</p>
          <TextField
            name="domain"
            label={t('settings.blocks.domainServer')}
            value={typed}
            autocomplete="off"
            maxlength={300}
          />
          <Button look="danger">{t('settings.blocks.blockTheServer')}</Button>
        </PostForm>
      </details>
    </section>
  )
}
