import { assetPath, type Island, partPaths } from '../../lib/assets'

/**
 * Script of the page around it. Its parts are scripts beside it, so that the browser fetches all at once. Not by
 * `modulepreload`: Chrome reports that as a violation of the policy where scripts are off.
 */
export function IslandScript({ name }: { readonly name: Island }) {
  return (
    <>
      {[...partPaths(name), assetPath(name)].map((path) => (
        <script type="module" src={path}></script>
      ))}
    </>
  )
}
