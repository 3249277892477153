import type { EmojiImport, ImportRefusal } from '../../../domain/custom-emojis/import'
import type { TextKey } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import type { PageProps } from '../../site'
import { FormPage } from '../form-page'

const reasons: Readonly<Record<ImportRefusal, TextKey>> = {
  'no-picture': 'admin.customEmojis.imported.noPngGifWeb',
  shortcode: 'admin.customEmojis.imported.nameNoShortcode2',
  'too-large': 'admin.customEmojis.imported.largerThan256Kb',
  twice: 'admin.customEmojis.imported.anotherFileArchiveHas',
  taken: 'admin.customEmojis.imported.thereEmojiName',
}

/** Outcome of an archive of emojis: shown once. */
export function ImportedEmojis({ site, viewer, shortcodes, refused }: PageProps & EmojiImport) {
  const t = useTranslation()
  return (
    <FormPage site={site} viewer={viewer} title={t('admin.customEmojis.imported.importOfEmojis')} errors={{}}>
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
