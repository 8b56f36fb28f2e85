# SPDX-License-Identifier: BSD-3-Clause
# A test for ReFrame.  Its variables are yours to set, and the launcher is that of your site's configuration:
#   reframe -c reframe.py -r -S AlidadeLatency.executable=$(alidade which latency) -S AlidadeLatency.most_us=1.5
import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class AlidadeLatency(rfm.RunOnlyRegressionTest):
    valid_systems = ['*']
    valid_prog_environs = ['*']
    executable = '/opt/alidade/libexec/alidade/mpi/pt2pt/latency'
    num_tasks = 2
    num_tasks_per_node = 1
    size = variable(int, value=8)
    path = variable(str, value='inter-node')  # the run fails if the two ranks are anywhere else
    most_us = variable(float, value=1.5)      # and if the median is more than 10% above that

    @run_before('run')
    def ask(self):
        self.executable_opts = ['-m', f'{self.size}:{self.size}', '--expect', f'path={self.path}', '--columns', 'median']

    @sanity_function
    def table_is_there(self):
        # The message says why there is no table.
        return sn.all([sn.assert_not_found(r'error E\d+', self.stderr),
                       sn.assert_not_found(r'# suspect:', self.stdout),
                       sn.assert_found(rf'^{self.size}\s', self.stdout)])

    @performance_function('us')
    def latency(self):
        # Size, mean, median.
        return sn.extractsingle(rf'^{self.size}\s+\S+\s+(\S+)', self.stdout, 1, float)

    @run_before('performance')
    def limit(self):
        self.reference = {'*': {'latency': (self.most_us, None, 0.10, 'us')}}
