/** Rules for names, labels and annotations. Each function returns what is wrong, in the words of Kubernetes. */
export { pathSegmentProblems } from '../authz/path-segment.ts';
export {
  asPrefix,
  dns1035LabelProblems,
  dns1123LabelProblems as dnsLabelProblems,
  dns1123SubdomainProblems as dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from '@klutch/cel';
