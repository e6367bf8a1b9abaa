/** The paths of field errors, by the short names that field errors are written with. */
export { childPath as child, indexPath as index, keyPath as key } from '@klutch/cel';
