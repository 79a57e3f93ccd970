/**
 * @generated SignedSource<<6832718199dd4999d00634a3581847f4>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type video_counters$data = {
  readonly id: string;
  readonly statistics: {
    readonly commentCount: string | null | undefined;
    readonly likeCount: string | null | undefined;
  } | null | undefined;
  readonly " $fragmentType": "video_counters";
};
export type video_counters$key = {
  readonly " $data"?: video_counters$data;
  readonly " $fragmentSpreads": FragmentRefs<"video_counters">;
};

import videoCountersQuery_graphql from './videoCountersQuery.graphql';

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": {
    "refetch": {
      "connection": null,
      "fragmentPathInResult": [
        "node"
      ],
      "operation": videoCountersQuery_graphql,
      "identifierInfo": {
        "identifierField": "id",
        "identifierQueryVariableName": "id"
      }
    }
  },
  "name": "video_counters",
  "selections": [
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
          "name": "likeCount",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "commentCount",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "id",
      "storageKey": null
    }
  ],
  "type": "Video",
  "abstractKey": null
};

(node as any).hash = "e62d967b210c50cff049806bfff120d7";

export default node;
