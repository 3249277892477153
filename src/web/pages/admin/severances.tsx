import * as z from 'zod'
import { execute } from '../../../db/query'
import {
  findSeverances,
  restorableMilliseconds,
  restoreFollows,
  type Severance,
} from '../../../domain/moderation/restore-follows'
import type { Ctx } from '../../../ports/ctx'
import { More, Panel } from '../../components/admin/panel'
import { ServerTabs } from '../../components/admin/servers'
import { Command } from '../../components/confirm'
import { Day } from '../../components/day'
import { useTranslation } from '../../i18n/context'
import type { PageQuery, PageView } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { moderatorOf } from '../../moderator'
import { pageBehind, readMaxId } from '../../pagination'
import { paths, serverPath } from '../../paths'

const path = paths.severances
const pageLength = 40

/** Follows that suspensions of servers ended, and their restoring within 30 days. */
export const severancesPage = memberPage({
  kind: 'admin',
  path,
  title: 'admin.endedFollows',
  access: 'manageFederation',
  menu: null,
  form: z.object({}),
  submissions: [
    {
      path: `${path}/:id/restore`,
      run: async ({ c, ctx, session }) => {
        await restoreFollows(ctx, moderatorOf(c, session), requireIdInPath(c))
        return { notice: 'restored' as const }
      },
    },
  ],
  notices: { restored: 'admin.severances.followsBeingRestoredFar' },
  load: loadSeverances,
  view: (page) => <SeverancesView page={page} />,
})

async function loadSeverances(ctx: Ctx, { query }: PageQuery) {
  const page = { limit: pageLength, maxId: readMaxId(query('max_id')) }
  const severances = await execute(ctx.db, findSeverances(ctx, page))
  const last = severances.length < pageLength ? null : severances.at(-1)?.id
  return { severances, now: ctx.clock.now(), olderUrl: pageBehind(path, last) }
}

type Found = Awaited<ReturnType<typeof loadSeverances>>

function SeverancesView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  const { found } = page
  return (
    <Panel title={t('admin.endedFollows')} current={paths.servers}>
      <ServerTabs current="severances" />
      <p class="quiet">{t('admin.severances.suspensionsServersEndFollows')}</p>
      {found.severances.length === 0 ? (
        <p class="quiet small">{t('admin.severances.noSuspensionHasEnded')}</p>
      ) : (
        <ul class="entries block">
          {found.severances.map((severance) => (
            <li>
              <SeveranceEntry severance={severance} now={found.now} />
            </li>
          ))}
        </ul>
      )}
      <More olderUrl={found.olderUrl} />
    </Panel>
  )
}

interface EntryProps {
  readonly severance: Severance
  readonly now: Date
}

function SeveranceEntry({ severance, now }: EntryProps) {
  const t = useTranslation()
  const { id, target, createdAt, followersCount, followingCount, restoreStartedAt, restoredAt } = severance
  const isRestorable =
    restoreStartedAt === null && now.getTime() - createdAt.getTime() <= restorableMilliseconds
  return (
    <>
      <h2 class="entry-title">
        <a href={serverPath(target)}>
          <bdi>{target}</bdi>
        </a>{' '}
        {restoredAt !== null && <span class="tag ok">{t('admin.severances.restored')}</span>}
        {restoreStartedAt !== null && restoredAt === null && (
          <span class="tag">{t('admin.severances.beingRestored')}</span>
        )}
      </h2>
      <p class="quiet small">
        <Day at={createdAt} />{' '}
        {t('admin.severances.followsByMembersFollows', {
          following: followingCount,
          followers: followersCount,
        })}
      </p>
      {restoredAt !== null && (
        <p class="quiet small">
          {t('admin.severances.followsThereAgain', {
            count: severance.restoredCount,
          })}
        </p>
      )}
      {isRestorable && (
        <Command action={`${path}/${id}/restore`} about={target}>
          {t('admin.severances.restoreTheFollows')}
        </Command>
      )}
    </>
  )
}
