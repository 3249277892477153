import * as z from 'zod'
import { parseDomain } from '../../../contract/handle'
import {
  addEmoji,
  emojiOrNotFound,
  removeEmoji,
  renameCategory,
  updateEmoji,
} from '../../../domain/custom-emojis/change'
import { copyEmoji } from '../../../domain/custom-emojis/copy'
import type { EmojiImport, ImportRefusal } from '../../../domain/custom-emojis/import'
import { importEmojis } from '../../../domain/custom-emojis/import'
import { Invalid } from '../../../errors'
import type { TextKey } from '../../../lib/translate'
import { CustomEmojisView } from '../../components/admin/custom-emojis'
import { FormPage } from '../../components/form-page'
import { textField, uploadField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { fixedQuestion } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'
import { paths } from '../../paths'
import { loadEmojis } from './load-custom-emojis'

const path = paths.customEmojis

const form = z.object({
  shortcode: textField(200),
  category: textField(200),
  image: uploadField,
  archive: uploadField,
  archive_category: textField(200),
  from: textField(200),
  to: textField(200),
  domain: textField(300),
})

type Call = SubmissionCall<z.output<typeof form>>

const removalQuestion = fixedQuestion(
  'admin.customEmojis.deleteEmoji',
  'admin.customEmojis.pictureDeletedPostsShow',
)

/** Custom emojis of this server, by category, and those of another server to copy from. */
export const customEmojisPage = memberPage({
  kind: 'admin',
  path,
  title: 'admin.customEmojis.customEmojis',
  access: 'manageCustomEmojis',
  menu: { label: 'admin.customEmojis.customEmojis', order: 130 },
  form,
  uploadFields: ['image', 'archive'],
  submissions: [
    { run: add },
    { path: `${path}/import`, run: importArchive },
    { path: `${path}/categories`, isCommand: true, run: rename },
    { path: `${path}/copy`, isCommand: true, run: copy },
    { path: `${path}/:id/enable`, isCommand: true, run: (call) => setDisabled(call, false) },
    { path: `${path}/:id/disable`, isCommand: true, run: (call) => setDisabled(call, true) },
    { path: `${path}/:id/delete`, isCommand: true, ask: removalQuestion, run: remove },
  ],
  notices: {
    added: 'admin.customEmojis.emojiCanUsedTexts',
    copied: 'admin.customEmojis.emojiCopied',
    renamed: 'admin.customEmojis.categoryHasNewName',
    enabled: 'admin.customEmojis.emojiShownAgain',
    disabled: 'admin.customEmojis.emojiShownNowhere',
    deleted: 'admin.customEmojis.emojiDeleted',
  },
  load: loadEmojis,
  view: (page) => <CustomEmojisView page={page} />,
})

async function add({ c, ctx, session, input }: Call) {
  const { shortcode, image: bytes, category } = input
  if (bytes === null) throw new Invalid('blank', { field: 'image' })
  await addEmoji(ctx, moderatorOf(c, session), {
    shortcode: shortcode.trim().replaceAll(/^:|:$/g, ''),
    bytes,
    category,
  })
  return { notice: 'added' as const }
}

async function importArchive({ c, ctx, session, input }: Call) {
  if (input.archive === null) throw new Invalid('blank', { field: 'archive' })
  const { shortcodes, refused } = await importEmojis(ctx, moderatorOf(c, session), {
    bytes: input.archive,
    category: input.archive_category,
  })
  return {
    show: <ImportedEmojis shortcodes={shortcodes} refused={refused} />,
  }
}

async function rename({ c, ctx, session, input }: Call) {
  await renameCategory(ctx, moderatorOf(c, session), input.from, input.to)
  return { notice: 'renamed' as const }
}

async function copy({ c, ctx, session, input }: Call) {
  const domain = parseDomain(input.domain)
  if (domain === null) throw new Invalid('invalid_domain', { field: 'domain' })
  await copyEmoji(ctx, moderatorOf(c, session), {
    shortcode: input.shortcode,
    domain,
    category: input.category,
  })
  return { notice: 'copied' as const }
}

async function setDisabled({ c, ctx, session }: Call, disabled: boolean) {
  const emoji = await emojiOrNotFound(ctx, { id: requireIdInPath(c) })
  await updateEmoji(ctx, moderatorOf(c, session), emoji, { disabled })
  return { notice: disabled ? ('disabled' as const) : ('enabled' as const) }
}

async function remove({ c, ctx, session }: Call) {
  await removeEmoji(ctx, moderatorOf(c, session), await emojiOrNotFound(ctx, { id: requireIdInPath(c) }))
  return { notice: 'deleted' as const }
}

const reasons: Readonly<Record<ImportRefusal, TextKey>> = {
  'no-picture': 'admin.customEmojis.imported.noPngGifWeb',
  shortcode: 'admin.customEmojis.imported.nameNoShortcode2',
  'too-large': 'admin.customEmojis.imported.largerThan256Kb',
  twice: 'admin.customEmojis.imported.anotherFileArchiveHas',
  taken: 'admin.customEmojis.imported.thereEmojiName',
}

/** Outcome of an archive of emojis: shown once. */
function ImportedEmojis({ shortcodes, refused }: EmojiImport) {
  const t = useTranslation()
  return (
    <FormPage title={t('admin.customEmojis.imported.importOfEmojis')}>
      <p>{t('admin.customEmojis.imported.picturesBeingAddedTakes', { count: shortcodes.length })}</p>
      {refused.length > 0 && (
        <>
          <h2>{t('admin.customEmojis.imported.leftOut')}</h2>
          <ul>
            {refused.map(({ name, reason }) => (
              <li>
                <bdi>{name}</bdi>: {t(reasons[reason])}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a href={paths.customEmojis}>{t('admin.customEmojis.customEmojis')}</a>
      </p>
    </FormPage>
  )
}
