import { profileMimes } from '../../lib/media/sniff'
import { useTranslation } from '../i18n/context'
import { CheckboxField, FileField } from './field'

export interface PictureFieldProps {
  readonly name: string
  readonly label: string
  readonly hint: string
  /** Size in pixels that the picture is cut to. */
  readonly width: number
  readonly height: number
  /** Null while there is none. */
  readonly currentUrl: string | null
  /** Label of the box that removes it; absent where it is only replaced. */
  readonly removeLabel?: string
}

/**
 * Upload of a picture, with the current one. The script crop.ts lets people choose the part that is shown; without it
 * the server takes the middle.
 */
export function PictureField({
  name,
  label,
  hint,
  width,
  height,
  currentUrl,
  removeLabel,
}: PictureFieldProps) {
  const t = useTranslation()
  return (
    <div
      class="picture-field"
      data-crop={`${width}x${height}`}
      data-words={JSON.stringify({
        area: t('picture.partPictureShownMove'),
        zoom: t('picture.zoom'),
        animated: t('picture.animatedPicturesUsedWhole'),
        unreadable: t('picture.fileCannotReadPicture'),
      })}
    >
      {currentUrl !== null && (
        <img class={`picture-${name}`} src={currentUrl} alt="" width={width} height={height} />
      )}
      <FileField name={name} label={label} hint={hint} accept={profileMimes.join(',')} isOptional />
      {currentUrl !== null && removeLabel !== undefined && (
        <CheckboxField name={`remove_${name}`} label={removeLabel} isChecked={false} isOptional />
      )}
    </div>
  )
}
