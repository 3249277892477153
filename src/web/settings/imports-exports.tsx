import type { TransferKind } from '../../db/schema/transfers'
import type { Import } from '../../domain/imports-exports/find'
import { Banner } from '../components/banner'
import { Button } from '../components/button'
import { Day } from '../components/day'
import { FileField, SelectField } from '../components/field'
import { ErrorSummary, type FormErrors, hasErrors, PostForm } from '../components/form'
import { Layout } from '../components/layout'
import { paths } from '../paths'
import type { AccountSummary, FormPageProps } from '../site'

export type ImportField = 'file'

export interface ImportsExportsPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly errors: FormErrors<ImportField>
  readonly hasStarted: boolean
  /** What was chosen in a form that failed. */
  readonly chosen: { readonly kind: string; readonly mode: string }
  readonly files: readonly { readonly kind: TransferKind; readonly count: number; readonly path: string }[]
  readonly imports: readonly Import[]
}

const names: Readonly<Record<TransferKind, string>> = {
  following: 'People you follow',
  lists: 'Lists',
  blocks: 'People you block',
  mutes: 'People you mute',
  domain_blocks: 'Servers you block',
  bookmarks: 'Bookmarks',
}

/** Taking along what one has, and bringing it from elsewhere. */
export function ImportsExportsPage(props: ImportsExportsPageProps) {
  const { site, viewer, errors, hasStarted } = props
  return (
    <Layout
      {...{ site, viewer, title: 'Import and export', width: 'text' }}
      isPrivate
      hasErrors={hasErrors(errors)}
    >
      <h1>Import and export</h1>
      <ErrorSummary errors={errors} />
      {hasStarted && (
        <Banner kind="success">
          <p>Your file is here. It is worked through in the background; you can leave this page.</p>
        </Banner>
      )}
      <ExportSection {...props} />
      <ImportSection {...props} />
      {props.imports.length > 0 && <ProgressSection {...props} />}
      <p class="aside">
        <a href={paths.account}>Back to your account</a>
      </p>
    </Layout>
  )
}

function ExportSection({ files }: ImportsExportsPageProps) {
  return (
    <section class="card" aria-labelledby="export">
      <h2 id="export">Export</h2>
      <p>Files that this server and Mastodon read.</p>
      <ul class="entries">
        {files.map(({ kind, count, path }) => (
          <li>
            <a href={path} download>
              {names[kind]}
            </a>{' '}
            <span class="muted">{count}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ImportSection({ csrfToken, errors, chosen }: ImportsExportsPageProps) {
  const kinds = Object.entries(names).map(([value, text]) => ({ value, text }))
  return (
    <section class="card" aria-labelledby="import">
      <h2 id="import">Import</h2>
      <PostForm action={paths.transfers} csrfToken={csrfToken} hasFiles>
        <SelectField name="kind" label="What is in the file?" value={chosen.kind} options={kinds} />
        <SelectField
          name="mode"
          label="What about what you have here?"
          value={chosen.mode}
          options={[
            { value: 'merge', text: 'Keep it, and add the file' },
            { value: 'overwrite', text: 'Remove what is not in the file' },
          ]}
        />
        <FileField
          name="file"
          label="File"
          hint="CSV, as exported here or by Mastodon; at most one megabyte"
          accept=".csv,text/csv"
          errors={errors.fields?.file}
        />
        <Button>Import</Button>
      </PostForm>
    </section>
  )
}

function ProgressSection({ imports }: ImportsExportsPageProps) {
  return (
    <section class="card" aria-labelledby="progress">
      <h2 id="progress">Your imports</h2>
      <ul class="entries">
        {imports.map((one) => (
          <li>
            <strong>{names[one.kind]}</strong>{' '}
            <span class="muted">
              <Day at={one.createdAt} withTime />
            </span>
            <p>
              {stateText(one)}{' '}
              {one.finishedAt === null && (
                <progress max={one.total} value={one.done + one.failed}>
                  {one.done + one.failed} of {one.total}
                </progress>
              )}
              {one.failed > 0 && (
                <a href={`${paths.transfers}/${one.id}/failures.csv`} download>
                  What failed, and why
                </a>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function stateText({ state, total, done, failed }: Import): string {
  if (state === 'clearing') return 'Removing what is not in the file.'
  const failures = failed === 0 ? '' : `, ${failed} failed`
  return state === 'adding' ? `${done} of ${total} done${failures}.` : `Finished: ${done} done${failures}.`
}
