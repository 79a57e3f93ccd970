/**
 * @generated SignedSource<<7029525c2786abf9b5f334058689bf33>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type chart_line$data = {
  readonly snippet: {
    readonly channelTitle: string | null | undefined;
    readonly title: string | null | undefined;
  } | null | undefined;
  readonly statistics: {
    readonly viewCount: string | null | undefined;
  } | null | undefined;
  readonly " $fragmentType": "chart_line";
};
export type chart_line$key = {
  readonly " $data"?: chart_line$data;
  readonly " $fragmentSpreads": FragmentRefs<"chart_line">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "chart_line",
  "selections": [
    {
      "alias": null,
      "args": null,
      "concreteType": "VideoSnippet",
      "kind": "LinkedField",
      "name": "snippet",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "title",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "channelTitle",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "VideoStatistics",
      "kind": "LinkedField",
      "name": "statistics",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "viewCount",
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "type": "Video",
  "abstractKey": null
};

(node as any).hash = "a4f854e896720ab013dae7dfa1981d31";

export default node;
