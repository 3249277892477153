import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { acctOf } from '../../../contract/addresses'
import { combineQueries, execute } from '../../../db/query'
import { accountsByUris, selectKnown } from '../../../domain/accounts/find'
import {
  addAlias,
  aliasesOf,
  cancelMove,
  findMove,
  moveAccount,
  removeAlias,
} from '../../../domain/accounts/move'
import { findWithPassword } from '../../../domain/users/passwords'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { loadAccounts } from '../../../view/load/accounts'
import { presentAccounts } from '../../../view/present/account'
import { Button } from '../../components/button'
import { Day } from '../../components/day'
import { TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { CurrentPasswordField, PasswordManagerUsername } from '../../components/new-password'
import { SettingsLayout } from '../../components/settings-layout'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { useMember } from '../../page-context'
import { paths } from '../../paths'
import { fullHandle } from '../../status-view'

const title = 'settings.migration.moving'
const typedMaxLength = 300

const form = z.object({
  alias: textField(),
  uri: textField(),
  handle: textField(),
  current_password: textField(),
})
type Call = SubmissionCall<z.output<typeof form>>

export const migrationPage = memberPage({
  kind: 'settings',
  path: paths.migration,
  title,
  access: 'active',
  menu: { group: 'account', label: 'settings.migration.moveAccount', order: 320 },
  words: [
    'settings.migration.fromAnotherServerHere',
    'settings.migration.fromHereAnotherServer',
    'settings.migration.moveFollowers',
  ],
  form,
  submissions: [
    { path: paths.aliases, run: add },
    { path: `${paths.aliases}/remove`, run: remove },
    { run: move },
    { path: `${paths.migration}/cancel`, run: cancel },
  ],
  notices: {
    alias: 'settings.migration.oldAccountNamedNow',
    removed: 'settings.migration.aliasRemoved',
    moved: 'settings.migration.accountHasMovedFollowers',
    cancelled: 'settings.migration.redirectRemoved',
  },
  redirectsFrom: [paths.aliases],
  load: (ctx, { session }) => findMigration(ctx, session.accountId),
  view: ({ typed, found }) => (
    <MigrationPage
      typed={{
        alias: typed('alias').slice(0, typedMaxLength),
        handle: typed('handle').slice(0, typedMaxLength),
      }}
      aliases={found.aliases}
      movedTo={found.movedTo}
      nextMoveAt={found.nextMoveAt}
      followers={found.followers}
    />
  ),
})

async function add({ ctx, session, input }: Call) {
  await addAlias(ctx, session.accountId, input.alias)
  return { notice: 'alias' as const }
}

async function remove({ ctx, session, input }: Call) {
  await removeAlias(ctx, session.accountId, input.uri)
  return { notice: 'removed' as const }
}

async function move({ ctx, session: { accountId }, input }: Call) {
  // An open browser must not allow to try passwords without end.
  await ctx.throttle.take('signInsByName', `account ${accountId}`)
  const { username } = await findWithPassword(ctx, accountId, input.current_password)
  await moveAccount(ctx, { accountId, username, handle: input.handle })
  return { notice: 'moved' as const }
}

async function cancel({ ctx, session }: Call) {
  await cancelMove(ctx, session.accountId)
  return { notice: 'cancelled' as const }
}

async function findMigration(ctx: Ctx, accountId: AccountId) {
  const uris = await execute(ctx.db, aliasesOf(ctx, accountId))
  const { target: targetId, nextAt: nextMoveAt } = await findMove(ctx, accountId)
  const { known, people } = await execute(
    ctx.db,
    combineQueries({
      known: accountsByUris(ctx, uris),
      people: loadAccounts(ctx, selectKnown([accountId, ...(targetId === null ? [] : [targetId])])),
    }),
  )
  const [own, target] = presentAccounts(ctx.config, people)
  return {
    aliases: uris.map((uri) => {
      const alias = known.find(({ asked }) => asked === uri)
      return { uri, name: alias === undefined ? uri : `@${acctOf(alias)}` }
    }),
    movedTo:
      target === undefined || targetId === null
        ? null
        : { handle: fullHandle(ctx.config, target), url: target.url ?? target.uri },
    nextMoveAt,
    followers: own?.followers_count ?? 0,
  }
}

export interface MigrationPageProps {
  /** Fields of a refused form. */
  readonly typed: { readonly alias: string; readonly handle: string }
  readonly aliases: readonly { readonly uri: string; readonly name: string }[]
  readonly movedTo: { readonly handle: string; readonly url: string } | null
  /** Instant from which the next move is possible; null if it is already. */
  readonly nextMoveAt: Date | null
  readonly followers: number
}

/** Moving an account here from another server, or away from here. */
export function MigrationPage(props: MigrationPageProps) {
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      <ComingSection {...props} />
      <LeavingSection {...props} />
    </SettingsLayout>
  )
}

function ComingSection({ typed, aliases }: MigrationPageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="coming">
      <h2 id="coming">{t('settings.migration.fromAnotherServerHere')}</h2>
      <p>{t('settings.migration.nameOldAccountHere')}</p>
      <PostForm action={paths.aliases}>
        <TextField
          name="alias"
          label={t('settings.migration.yourOldAccount')}
          value={typed.alias}
          hint={t('settings.migration.serverLikeNameExample')}
          autocomplete="off"
        />
        <Button>{t('settings.add')}</Button>
      </PostForm>
      {aliases.length > 0 && (
        <ul class="entries">
          {aliases.map(({ uri, name }) => (
            <li>
              <PostForm action={`${paths.aliases}/remove`} class="inline">
                <input type="hidden" name="uri" value={uri} />
                <bdi>{name}</bdi>{' '}
                <Button look="secondary">{t.rich('settings.migration.removeName', { name, hidden })}</Button>
              </PostForm>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function LeavingSection(props: MigrationPageProps) {
  const { movedTo } = props
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="leaving">
      <h2 id="leaving">{t('settings.migration.fromHereAnotherServer')}</h2>
      {movedTo === null ? <MoveForm {...props} /> : <Moved {...props} movedTo={movedTo} />}
    </section>
  )
}

function MoveForm({ typed, nextMoveAt, followers }: MigrationPageProps) {
  const t = useTranslation()
  const viewer = useMember()
  if (nextMoveAt !== null)
    return (
      <p>
        {t.rich('settings.migration.movedNotLongAgo', {
          day: <Day at={nextMoveAt} />,
        })}
      </p>
    )
  return (
    <>
      <p>{t('settings.migration.firstEnterAccountAmong', { count: followers })}</p>
      <PostForm action={paths.migration}>
        <PasswordManagerUsername username={viewer.acct} />
        <TextField
          name="handle"
          label={t('settings.migration.yourNewAccount')}
          value={typed.handle}
          hint={t('settings.migration.serverLikeNameExample')}
          autocomplete="off"
        />
        <CurrentPasswordField />
        <Button look="danger">{t('settings.migration.moveFollowers')}</Button>
      </PostForm>
    </>
  )
}

function Moved({ movedTo }: MigrationPageProps & { movedTo: { handle: string; url: string } }) {
  const t = useTranslation()
  return (
    <>
      <p>
        {t.rich('settings.migration.accountHasMovedHandle', {
          handle: movedTo.handle,
          link: (words: Child[]) => <a href={movedTo.url}>{words}</a>,
        })}
      </p>
      <details class="confirm">
        <summary>{t('settings.migration.removeRedirectQuestion')}</summary>
        <PostForm action={`${paths.migration}/cancel`}>
          <p>{t('settings.migration.profileNoLongerPoints')}</p>
          <Button look="danger">{t('settings.migration.removeRedirect')}</Button>
        </PostForm>
      </details>
    </>
  )
}

/** Words for screen readers only. */
function hidden(words: Child[]) {
  return <span class="hidden">{words}</span>
}
