import * as z from 'zod'
import { combineQueries, constant, execute } from '../../../db/query'
import { findKnownServers, type KnownServer } from '../../../domain/moderation/known-servers'
import { parseLimitedDomain } from '../../../domain/moderation/limit-domain'
import { findFailingHosts } from '../../../domain/servers/reachability'
import type { Ctx } from '../../../ports/ctx'
import { Panel } from '../../components/admin/panel'
import { ServerTabs, severityBadges } from '../../components/admin/servers'
import { Table } from '../../components/admin/table'
import { Button } from '../../components/button'
import { Day } from '../../components/day'
import { TextField } from '../../components/field'
import { useTranslation } from '../../i18n/context'
import type { PageQuery, PageView } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { limitPath, paths, serverPath } from '../../paths'

const path = paths.servers
const pageLength = 40

/** Servers that this one knows, and those that deliveries do not reach. */
export const serversPage = memberPage({
  kind: 'admin',
  path,
  title: 'admin.servers.servers',
  access: 'manageFederation',
  menu: { label: 'admin.servers.servers', order: 300 },
  form: z.object({}),
  submissions: [],
  notices: {},
  load: loadServers,
  view: (page) => <ServersView page={page} />,
})

async function loadServers(ctx: Ctx, { query }: PageQuery) {
  const isFailing = query('show') === 'failing'
  const after = query('after').slice(0, 300)
  const prefix = query('q').trim().toLowerCase().slice(0, 300)
  const found = await execute(
    ctx.db,
    combineQueries({
      servers: isFailing ? constant([]) : findKnownServers(ctx, { prefix, after, limit: pageLength }),
      failing: isFailing ? findFailingHosts(ctx, after) : constant(null),
    }),
  )
  const servers: readonly KnownServer[] = found.servers
  const last = servers.length < pageLength ? null : servers.at(-1)?.domain
  const next = isFailing ? found.failing?.next : last
  const kept = Object.entries({ q: prefix, show: isFailing ? 'failing' : '' }).filter(
    ([, value]) => value !== '',
  )

  return {
    isFailing,
    prefix,
    servers,
    failing: found.failing?.hosts ?? [],
    /** Typed address of a server that is not known, which can still be limited. */
    unknown: servers.length === 0 && prefix !== '' ? parseLimitedDomain(prefix) : null,
    nextUrl: next == null ? null : `${path}?${new URLSearchParams([...kept, ['after', next]])}`,
  }
}

type Found = Awaited<ReturnType<typeof loadServers>>

function ServersView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  const { found } = page
  return (
    <Panel title={t('admin.servers.servers')} current={path}>
      <ServerTabs current={found.isFailing ? 'failing' : 'known'} />
      {found.isFailing ? <Failing found={found} /> : <Known found={found} />}
      {found.nextUrl !== null && (
        <nav class="actions" aria-label={t('common.pages')}>
          <a class="button" href={found.nextUrl} rel="next">
            {t('admin.moreServers')}
          </a>
        </nav>
      )}
    </Panel>
  )
}

function Known({ found: { prefix, servers, unknown } }: { readonly found: Found }) {
  const t = useTranslation()
  return (
    <>
      <form class="filter" method="get" action={path}>
        <TextField
          name="q"
          label={t('admin.servers.domainBeginsWith')}
          value={prefix}
          autocomplete="off"
          isFilter
        />
        <Button look="secondary">{t('admin.servers.lookUp')}</Button>
      </form>
      {servers.length === 0 && <p class="quiet small">{t('admin.servers.noKnownServerHas')}</p>}
      {unknown !== null && (
        <p>
          <a class="button" href={serverPath(unknown)}>
            {t('admin.servers.openDomainAllSame', { domain: unknown })}
          </a>
        </p>
      )}
      {servers.length > 0 && (
        <Table
          label={t('admin.servers.knownServers')}
          columns={[
            t('field.server'),
            t('field.state'),
            t('admin.software'),
            t('admin.servers.accounts'),
            t('admin.servers.followedByMembers'),
            t('admin.servers.followersHere'),
            t('admin.servers.lastSeen'),
            t('admin.limit'),
          ]}
        >
          {servers.map((server) => (
            <ServerRow server={server} />
          ))}
        </Table>
      )}
    </>
  )
}

function ServerRow({ server }: { readonly server: KnownServer }) {
  const t = useTranslation()
  const { domain, software, softwareVersion, severity, failingSince, lastSeenAt } = server
  const { accountsCount, followingCount, followersCount } = server
  return (
    <tr>
      <th scope="row">
        <a href={serverPath(domain)}>
          <bdi>{domain}</bdi>
        </a>
      </th>
      <td>
        {severity !== null && <span class="tag warn">{t(severityBadges[severity])}</span>}{' '}
        {failingSince !== null && <span class="tag warn">{t('admin.servers.notReached2')}</span>}
      </td>
      <td>
        {software !== null && (
          <bdi>
            {software} {softwareVersion}
          </bdi>
        )}
      </td>
      <td>{t('admin.value', { value: accountsCount })}</td>
      <td>{t('admin.value', { value: followingCount })}</td>
      <td>{t('admin.value', { value: followersCount })}</td>
      <td>{lastSeenAt !== null && <Day at={lastSeenAt} />}</td>
      <td>
        <a href={limitPath(domain)}>
          {t(severity === null ? 'admin.servers.setALimit' : 'admin.changeTheLimit')}
          <span class="hidden"> {domain}</span>
        </a>
      </td>
    </tr>
  )
}

function Failing({ found: { failing } }: { readonly found: Found }) {
  const t = useTranslation()
  if (failing.length === 0) return <p class="quiet small">{t('admin.everyServerTakesDeliveries')}</p>
  return (
    <Table
      label={t('admin.servers.notReached')}
      columns={[
        t('field.server'),
        t('admin.servers.failingSince'),
        t('admin.servers.deliveriesWaiting'),
        t('admin.servers.lastError'),
      ]}
    >
      {failing.map(({ host, failingSince, waiting, error, unreachable }) => (
        <tr>
          <th scope="row">
            <a href={serverPath(host)}>
              <bdi>{host}</bdi>
            </a>{' '}
            {unreachable && <span class="tag warn">{t('admin.givenUp')}</span>}
          </th>
          <td>
            <Day at={failingSince} withTime />
          </td>
          <td>{t('admin.value', { value: waiting })}</td>
          <td class="words">
            <p class="clamped">
              <bdi>{error}</bdi>
            </p>
          </td>
        </tr>
      ))}
    </Table>
  )
}
