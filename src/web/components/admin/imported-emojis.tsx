import type { EmojiImport, ImportRefusal } from '../../../domain/custom-emojis/import'
import type { TextKey } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { FormPage } from '../form-page'

const reasons: Readonly<Record<ImportRefusal, TextKey>> = {
  'no-picture': 'admin.customEmojis.imported.noPngGifWeb',
  shortcode: 'admin.customEmojis.imported.nameNoShortcode2',
  'too-large': 'admin.customEmojis.imported.largerThan256Kb',
  twice: 'admin.customEmojis.imported.anotherFileArchiveHas',
  taken: 'admin.customEmojis.imported.thereEmojiName',
}

/** Outcome of an archive of emojis: shown once. */
export function ImportedEmojis({ shortcodes, refused }: EmojiImport) {
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
