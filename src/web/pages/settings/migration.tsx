import * as z from 'zod'
import { combineQueries, execute } from '../../../db/query'
import { addAlias, aliasesOf, removeAlias } from '../../../domain/accounts/aliases'
import { selectKnown } from '../../../domain/accounts/find'
import { accountsByUris } from '../../../domain/accounts/find-by-uri'
import { cancelMove, findMove, moveAccount } from '../../../domain/accounts/move'
import { findWithPassword } from '../../../domain/users/passwords'
import { acctOf } from '../../../lib/addresses'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../platform/ports'
import { loadAccounts } from '../../../view/load/accounts'
import { presentAccounts } from '../../../view/present/account'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { Day } from '../../components/day'
import { TextField } from '../../components/field'
import { ErrorSummary, type FormErrors, hasErrors, PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { PasswordManagerUsername } from '../../components/password-manager-username'
import { textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'
import { fullHandle } from '../../status-view'

const title = 'Moving'
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
  menu: { label: 'Move account', order: 90 },
  form,
  submissions: [
    { path: paths.aliases, run: add },
    { path: `${paths.aliases}/remove`, run: remove },
    { run: move },
    { path: `${paths.migration}/cancel`, run: cancel },
  ],
  notices: {
    alias: 'Your old account is named. Now start the move there.',
    removed: 'The alias is removed.',
    moved: 'Your account has moved. Your followers are on their way.',
    cancelled: 'Your profile points nowhere else any more.',
  },
  redirectsFrom: [paths.aliases],
  load: (ctx, { session }) => findMigration(ctx, session.accountId),
  view: ({ site, viewer, csrfToken, errors, typed, message, found }) => (
    <MigrationPage
      site={site}
      viewer={viewer}
      csrfToken={csrfToken}
      errors={errors}
      message={message}
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

export type MigrationField = 'alias' | 'handle' | 'current_password'

export interface MigrationPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly errors: FormErrors<MigrationField>
  readonly message: string | null
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
  const { site, viewer, errors, message } = props
  return (
    <Layout site={site} viewer={viewer} title={title} width="text" isPrivate hasErrors={hasErrors(errors)}>
      <h1>Moving</h1>
      <ErrorSummary errors={errors} />
      {message !== null && (
        <Banner kind="success">
          <p>{message}</p>
        </Banner>
      )}
      <ComingSection {...props} />
      <LeavingSection {...props} />
      <p class="aside">
        <a href={paths.account}>Back to your account</a>
      </p>
    </Layout>
  )
}

function ComingSection({ csrfToken, errors, typed, aliases }: MigrationPageProps) {
  return (
    <section class="card" aria-labelledby="coming">
      <h2 id="coming">From another server to here</h2>
      <p>Name your old account here first, then start the move there. Your followers come along.</p>
      <PostForm action={paths.aliases} csrfToken={csrfToken}>
        <TextField
          name="alias"
          label="Your old account"
          value={typed.alias}
          hint="With its server, like name@example.org"
          autocomplete="off"
          errors={errors.fields?.alias}
        />
        <Button>Add</Button>
      </PostForm>
      {aliases.length > 0 && (
        <ul class="entries">
          {aliases.map(({ uri, name }) => (
            <li>
              <PostForm action={`${paths.aliases}/remove`} csrfToken={csrfToken} class="inline">
                <input type="hidden" name="uri" value={uri} />
                <bdi>{name}</bdi>{' '}
                <Button look="secondary">
                  Remove<span class="visually-hidden"> {name}</span>
                </Button>
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
  return (
    <section class="card" aria-labelledby="leaving">
      <h2 id="leaving">From here to another server</h2>
      {movedTo === null ? <MoveForm {...props} /> : <Moved {...props} movedTo={movedTo} />}
    </section>
  )
}

function MoveForm({ viewer, csrfToken, errors, typed, nextMoveAt, followers }: MigrationPageProps) {
  if (nextMoveAt !== null)
    return (
      <p>
        You moved not long ago. You can move again from <Day at={nextMoveAt} /> on.
      </p>
    )
  return (
    <>
      <p>
        First enter this account among the aliases of your new one. Then your profile here points there, and{' '}
        {followersFollow(followers)} the new account instead. Your posts stay here. The next move is possible
        after 30 days.
      </p>
      <PostForm action={paths.migration} csrfToken={csrfToken}>
        <PasswordManagerUsername username={viewer.acct} />
        <TextField
          name="handle"
          label="Your new account"
          value={typed.handle}
          hint="With its server, like name@example.org"
          autocomplete="off"
          errors={errors.fields?.handle}
        />
        <TextField
          name="current_password"
          label="Your password"
          type="password"
          autocomplete="current-password"
          errors={errors.fields?.current_password}
        />
        <Button look="danger">Move followers</Button>
      </PostForm>
    </>
  )
}

function Moved({ csrfToken, movedTo }: MigrationPageProps & { movedTo: { handle: string; url: string } }) {
  return (
    <>
      <p>
        This account has moved to <a href={movedTo.url}>{movedTo.handle}</a>.
      </p>
      <details class="confirm">
        <summary>Stay here after all…</summary>
        <PostForm action={`${paths.migration}/cancel`} csrfToken={csrfToken}>
          <p>Your profile no longer points there. Followers that went do not come back by themselves.</p>
          <Button look="danger">Cancel the move</Button>
        </PostForm>
      </details>
    </>
  )
}

function followersFollow(count: number): string {
  if (count === 0) return 'whoever follows you until then follows'
  return count === 1 ? 'your follower follows' : `your ${count} followers follow`
}
