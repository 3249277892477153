import * as z from 'zod'
import { deleteBackup, requestBackup } from '../../../domain/backups/run'
import { type BackupRow, listBackups } from '../../../domain/backups/state'
import { NotFound } from '../../../errors'
import type { TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { Panel } from '../../components/admin/panel'
import { Command } from '../../components/confirm'
import { Day } from '../../components/day'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { sizeText } from '../../i18n/names'
import type { PageView, SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { fixedQuestion } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'

const path = '/admin/backups'
const command = 'fieldfare backup'
const form = z.object({ name: textField(200) })
type Call = SubmissionCall<z.output<typeof form>>

const removalQuestion = fixedQuestion('admin.backups.deleteBackup', 'admin.backups.filesDeletedFromBucket')

/** Backups in the bucket: what they hold, a new one, and the end of an old one. */
export const backupsPage = memberPage({
  kind: 'admin',
  path,
  title: 'admin.backups.backups',
  access: 'administrator',
  menu: { label: 'admin.backups.backups', order: 860 },
  form,
  submissions: [
    { isCommand: true, run: start },
    { path: `${path}/delete`, isCommand: true, ask: removalQuestion, run: remove },
  ],
  notices: {
    started: 'admin.backups.backupRunsBackgroundReload',
    deleted: 'admin.backups.backupBeingDeleted',
  },
  load: (ctx) => loadBackups(ctx),
  view: (page) => <BackupsView page={page} />,
})

async function start({ c, ctx, session }: Call) {
  await requestBackup(ctx, moderatorOf(c, session))
  return { notice: 'started' as const }
}

async function remove({ c, ctx, session, input }: Call) {
  if (!(await deleteBackup(ctx, moderatorOf(c, session), input.name))) throw new NotFound()
  return { notice: 'deleted' as const }
}

async function loadBackups(ctx: Ctx) {
  const { known, unknown } = await listBackups(ctx)
  return { known, unknown, isRunning: known.some(({ state }) => state === 'running') }
}

type Found = Awaited<ReturnType<typeof loadBackups>>

function BackupsView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  const { found } = page
  return (
    <Panel title={t('admin.backups.backups')} current={path}>
      <p class="quiet">{t('admin.backups.backupHoldsEveryTable')}</p>
      {found.isRunning ? (
        <p class="quiet small">{t('admin.backups.backupRunning')}</p>
      ) : (
        <Command action={path}>{t('admin.backups.backUpNow')}</Command>
      )}
      {found.known.length + found.unknown.length === 0 ? (
        <p class="quiet small">{t('admin.backups.thereNoBackupYet')}</p>
      ) : (
        <ul class="entries block">
          {found.known.map((backup) => (
            <li>
              <BackupEntry backup={backup} />
            </li>
          ))}
          {found.unknown.map(({ name, hasManifest }) => (
            <li>
              <h2 class="entry-title">
                <bdi>{name}</bdi> <span class="tag">{t('admin.backups.earlierDatabase')}</span>
                {!hasManifest && <span class="tag warn">{t('admin.backups.incomplete')}</span>}
              </h2>
              <DeleteBackup name={name} />
            </li>
          ))}
        </ul>
      )}
      <p class="quiet small">
        {t.rich('admin.backups.fetchedRestoredFromCommand', {
          code: () => <code>{command}</code>,
        })}
      </p>
    </Panel>
  )
}

const states: Readonly<Record<BackupRow['state'], TextKey>> = {
  running: 'admin.backups.running',
  complete: 'admin.backups.complete',
  failed: 'admin.failed',
  deleting: 'admin.backups.beingDeleted',
}

function BackupEntry({ backup }: { readonly backup: BackupRow }) {
  const t = useTranslation()
  const { name, state, requested, rows, bytes, mediaObjects, mediaBytes, startedAt, finishedAt, error } =
    backup
  return (
    <>
      <h2 class="entry-title">
        <Day at={startedAt} withTime />{' '}
        <span class={state === 'failed' ? 'tag warn' : 'tag'}>{t(states[state])}</span>
        {requested && <span class="tag">{t('admin.backups.byHand')}</span>}
      </h2>
      <p class="quiet small">
        {t('admin.backups.rowsSizeFilesMedia', {
          rows,
          size: sizeText(t, bytes),
          files: mediaObjects,
          media: sizeText(t, mediaBytes),
        })}
      </p>
      {finishedAt !== null && (
        <p class="quiet small">
          {t.rich('admin.backups.ended', { day: () => <Day at={finishedAt} withTime /> })}
        </p>
      )}
      {error !== null && (
        <p class="error" lang="en">
          {error}
        </p>
      )}
      <DeleteBackup name={name} />
    </>
  )
}

function DeleteBackup({ name }: { readonly name: string }) {
  const t = useTranslation()
  return (
    <Command action={`${path}/delete`} hidden={{ name }} about={name} asks>
      {t('admin.delete')}
    </Command>
  )
}
